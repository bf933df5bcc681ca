import assert from "node:assert/strict";
import { test } from "node:test";
import { type OpenStore, openFixture } from "#lib/store/conformance.fixture.ts";

/** Links between people in connected services and members. */
export function linkConformance(open: OpenStore): void {
  test("an id stands for one member of its organization, and for nobody once it is removed", async (t) => {
    const { store, access, foreign } = await openFixture(t, open);
    const { id } = await store.integrations.put(access, "slack", {});
    const { links } = store;
    assert.equal(await links.findUser(id, "U1"), null);
    const row = { externalId: "U1", userId: access.userId, userName: "Ada", createdAt: "2026-01-31T12:00:00.000Z" };
    assert.deepEqual(await links.put(access, id, "U1", access.userId), row);
    assert.deepEqual(await links.put(access, id, "U1", access.userId), row);
    assert.equal(await links.put(access, id, "U2", 999), null, "nobody of that id is a member");
    assert.equal(await links.put(foreign, id, "U2", access.userId), null);
    assert.equal(await links.put(access, id + 1, "U2", access.userId), null);
    assert.deepEqual(await links.list(access, id), [row]);
    assert.deepEqual(await links.list(foreign, id), []);
    assert.equal(await links.findUser(id, "U1"), access.userId);
    assert.equal(await links.findUser(id, "U2"), null);
    assert.equal(await links.remove(foreign, id, "U1"), false);
    assert.equal(await links.remove(access, id, "U1"), true);
    assert.equal(await links.remove(access, id, "U1"), false);
    assert.equal(await links.findUser(id, "U1"), null);
  });

  test("a code links whoever sends it first, in its own service, before it expires", async (t) => {
    const { store, access, advance } = await openFixture(t, open);
    const { id } = await store.integrations.put(access, "slack", {});
    const other = await store.integrations.put(access, "linear", {});
    const { links } = store;
    const hash = (byte: number) => new Uint8Array(32).fill(byte);
    const expiresAt = "2026-01-31T12:10:00.000Z";
    await links.createCode(access, id, { hash: hash(1), expiresAt });
    assert.equal(await links.redeemCode(other.id, hash(1), "U1"), null);
    assert.equal(await links.redeemCode(id, hash(2), "U1"), null);
    assert.equal((await links.redeemCode(id, hash(1), "U1"))?.userId, access.userId);
    assert.equal(await links.redeemCode(id, hash(1), "U2"), null, "it is used up");
    await links.createCode(access, id, { hash: hash(3), expiresAt });
    await links.createCode(access, id, { hash: hash(4), expiresAt });
    assert.equal(await links.redeemCode(id, hash(3), "U2"), null, "a newer code ended it");
    advance(600_000);
    assert.equal(await links.redeemCode(id, hash(4), "U2"), null, "it has expired");
    assert.deepEqual(
      (await links.list(access, id)).map(({ externalId }) => externalId),
      ["U1"],
    );
  });
}
