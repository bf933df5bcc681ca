import assert from "node:assert/strict";
import { test } from "node:test";
import { type OpenStore, openFixture } from "#lib/store/conformance.fixture.ts";

/** What a store must do with MCP servers. */
export function mcpServerConformance(open: OpenStore): void {
  const server = (name: string) => ({
    name,
    url: `https://${name}.example/mcp`,
    headerNames: ["Authorization"],
    headersSealed: "sealed",
    repositoryIds: null,
  });

  test("servers are replaced together: kept ones stay as they were, new ones are not active", async (t) => {
    const { store, access, foreign } = await openFixture(t, open);
    const { mcpServers } = store;
    assert.deepEqual(await mcpServers.list(access), []);
    const [one, two] = await mcpServers.replace(access, [], [server("two"), server("one")]);
    assert.ok(one !== undefined && two !== undefined);
    const unasked = { active: false, checkedAt: null, error: null, server: null, tools: null };
    assert.deepEqual(one, { id: one.id, organizationId: access.organizationId, ...server("one"), ...unasked });
    await mcpServers.noteCheck(one.id, { active: true, server: "One 1.0", tools: 3 });
    const checked = { ...one, active: true, checkedAt: "2026-01-31T12:00:00.000Z", server: "One 1.0", tools: 3 };
    const after = await mcpServers.replace(
      access,
      [{ id: one.id, repositoryIds: null }],
      [
        { ...server("three"), repositoryIds: [1, 2] },
        { ...server("two"), url: "https://x" },
      ],
    );
    assert.deepEqual(
      after.map(({ repositoryIds }) => repositoryIds),
      [null, [1, 2], null],
    );
    assert.deepEqual(
      after.map(({ name, url, active }) => [name, url, active]),
      [
        ["one", "https://one.example/mcp", true],
        ["three", "https://three.example/mcp", false],
        ["two", "https://x", false],
      ],
    );
    assert.deepEqual(after[0], checked);
    assert.deepEqual(await mcpServers.list(access), after);
    assert.notEqual(after[2]?.id, two.id);
    // The check of a server that was replaced meanwhile does not apply to the new one.
    await mcpServers.noteCheck(two.id, { active: true, server: "Two", tools: 1 });
    assert.deepEqual(await mcpServers.list(access), after);
    await mcpServers.noteCheck(one.id, { active: false, error: "Nothing answers." });
    const [failing] = await mcpServers.list(access);
    assert.deepEqual(failing, { ...checked, active: false, error: "Nothing answers." });

    assert.deepEqual(await mcpServers.list(foreign), []);
    assert.deepEqual(await mcpServers.replace(foreign, [{ id: one.id, repositoryIds: [9] }], []), []);
    assert.equal(await mcpServers.removeAll(foreign), 0);
    assert.equal((await mcpServers.list(access)).length, 3);
    assert.equal(await mcpServers.removeAll(access), 3);
    assert.equal(await mcpServers.removeAll(access), 0);
  });
}
