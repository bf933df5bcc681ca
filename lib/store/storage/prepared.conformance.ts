import assert from "node:assert/strict";
import { test } from "node:test";
import { SetupCommands } from "#lib/contract/repositories/setup.ts";
import { type OpenStore, openFixture } from "#lib/store/conformance.fixture.ts";
import { LeaseLostError } from "#lib/store/runs/queue-store.ts";

const commands = SetupCommands.parse({ install: ["npm ci"] });

/** What a store must do with prepared checkouts. */
export function preparedConformance(open: OpenStore): void {
  test("what a run keeps is building, then usable until it is too old, and the setup's status shows it", async (t) => {
    const fixture = await openFixture(t, open);
    const { store, access, advance } = fixture;
    const names = {
      name: "x",
      fullName: "o/x",
      description: null,
      source: "https://git.test/x",
      defaultBranch: "main",
    };
    const repositoryId = (await store.repositories.add(access, names)).repository.id;
    await store.setups.change(access, repositoryId, commands, null);
    const name = { repositoryId, key: "a" };
    const status = async () => {
      const [setup, repository] = [
        store.setups.find(access, repositoryId),
        store.repositories.find(access, repositoryId),
      ];
      assert.equal((await setup)?.status, (await repository)?.setupStatus);
      return (await setup)?.status;
    };
    const { lease } = await fixture.startRun({ repositoryId });
    assert.equal(await store.prepared.use(name), false);
    await store.prepared.begin(lease, name);
    assert.deepEqual([await status(), await store.prepared.use(name)], ["building", false]);
    advance(1000);
    await store.prepared.finish(lease, name, { bytes: 5, files: 2, usableMs: 60_000 });
    assert.equal(await status(), "ready");
    advance(10_000);
    assert.equal(await store.prepared.use(name), true);
    assert.deepEqual(await store.prepared.list(repositoryId), [
      {
        ...{ repositoryId, key: "a", state: "ready", runId: lease.runId, bytes: 5, files: 2, error: null },
        madeAt: "2026-01-31T12:00:01.000Z",
        usedAt: "2026-01-31T12:00:11.000Z",
        expiresAt: "2026-01-31T12:01:01.000Z",
      },
    ]);
    advance(50_000);
    assert.deepEqual([await status(), await store.prepared.use(name)], ["stale", false]);
    assert.equal((await store.prepared.list(repositoryId))[0]?.state, "stale");

    await store.prepared.begin(lease, { repositoryId, key: "b" });
    await store.prepared.finish(lease, { repositoryId, key: "b" }, { error: "it is too large" });
    assert.deepEqual([await status(), await store.prepared.use({ repositoryId, key: "b" })], ["stale", false]);
    assert.deepEqual(
      (await store.prepared.listAll()).map(({ key, state, error }) => [key, state, error]),
      [
        ["a", "stale", null],
        ["b", "failed", "it is too large"],
      ],
    );
    await store.prepared.remove(name);
    assert.equal(await status(), "ready");
    await store.prepared.begin(lease, name);
    assert.equal(await status(), "building");
    await fixture.finish(lease);
    const [left] = await store.prepared.list(repositoryId);
    assert.deepEqual([left?.state, left?.error, await status()], ["failed", "its run ended meanwhile", "ready"]);
    await assert.rejects(store.prepared.begin(lease, name), LeaseLostError);
  });

  test("a prepared checkout for an earlier version, or one to be made again, is not used, even if it was being kept at that time", async (t) => {
    const fixture = await openFixture(t, open);
    const { store, access } = fixture;
    const names = {
      name: "x",
      fullName: "o/x",
      description: null,
      source: "https://git.test/x",
      defaultBranch: "main",
    };
    const repositoryId = (await store.repositories.add(access, names)).repository.id;
    await store.setups.change(access, repositoryId, commands, null);
    const { lease } = await fixture.startRun({ repositoryId });
    const keep = async (key: string, between: () => Promise<unknown> = async () => undefined) => {
      await store.prepared.begin(lease, { repositoryId, key });
      await between();
      await store.prepared.finish(lease, { repositoryId, key }, { bytes: 1, files: 1, usableMs: 60_000 });
      return store.prepared.use({ repositoryId, key });
    };
    assert.equal(await keep("a"), true);
    await store.setups.change(access, repositoryId, commands, null);
    assert.equal(await store.prepared.use({ repositoryId, key: "a" }), false);
    assert.equal(await keep("b", () => store.prepared.outdate(repositoryId)), false);
    assert.equal((await store.setups.find(access, repositoryId))?.status, "stale");
    assert.equal(await keep("b"), true);
  });
}
