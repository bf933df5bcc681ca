import assert from "node:assert/strict";
import { test } from "node:test";
import { type OpenStore, openFixture } from "#lib/store/conformance.fixture.ts";
import type { NewAuditRow } from "./audit.ts";

const row = (changes: Partial<NewAuditRow>): NewAuditRow => ({
  organizationId: 1,
  act: "token.created",
  actor: "session",
  userId: 1,
  tokenId: null,
  objectType: "token",
  objectId: 7,
  objectName: "ci",
  address: "192.0.2.1",
  userAgent: "a browser",
  details: { role: "member", none: null },
  ...changes,
});

/** The audit log, and writing several things as one. */
export function auditConformance(open: OpenStore): void {
  test("records are listed newest first, with what was written and by whom", async (t) => {
    const { store, access, advance } = await openFixture(t, open);
    await store.audit.append(row({}));
    advance(1000);
    await store.audit.append(row({ act: "share.created", userId: null, actor: "system" }));
    const { items, total } = await store.audit.list(access, {}, { skip: 0, limit: 10 });
    assert.equal(total, 2);
    assert.deepEqual(
      items.map(({ id, createdAt, act, userName }) => [id, createdAt, act, userName]),
      [
        [2, "2026-01-31T12:00:01.000Z", "share.created", null],
        [1, "2026-01-31T12:00:00.000Z", "token.created", "Ada"],
      ],
    );
    const first = items[1];
    const more = { id: 1, createdAt: "2026-01-31T12:00:00.000Z", userName: "Ada", tokenName: null };
    assert.deepEqual(first, { ...row({}), ...more });
    assert.deepEqual(await store.audit.read(access, {}, 2, 5), [first]);
  });

  test("filters narrow a list by act, actor, person and time; another organization has none of it", async (t) => {
    const { store, access, foreign, advance } = await openFixture(t, open);
    await store.audit.append(row({}));
    advance(1000);
    await store.audit.append(row({ act: "share.created", userId: null, actor: "system" }));
    const window = { skip: 0, limit: 10 };
    const ids = async (filter: Parameters<typeof store.audit.list>[1]) =>
      (await store.audit.list(access, filter, window)).items.map(({ id }) => id);
    assert.deepEqual(await ids({ acts: ["share.created", "token.revoked"] }), [2]);
    assert.deepEqual(await ids({ actor: "session", userId: 1 }), [1]);
    assert.deepEqual(await ids({ tokenId: 1 }), []);
    assert.deepEqual(await ids({ since: "2026-01-31T12:00:01.000Z" }), [2]);
    assert.deepEqual(await ids({ until: "2026-01-31T12:00:01.000Z" }), [1]);
    assert.deepEqual(await store.audit.list(foreign, {}, window), { items: [], total: 0 });
    assert.equal(await store.audit.countSince(1, 1, "token.created", "2026-01-31T12:00:00.000Z"), 1);
    assert.equal(await store.audit.countSince(1, 1, "token.created", "2026-01-31T12:00:00.001Z"), 0);
  });

  test("an organization's settings have defaults, and a change leaves what it does not name", async (t) => {
    const { store, access, foreign } = await openFixture(t, open);
    const fresh = {
      name: "Errand",
      enablePrCreation: true,
      enableRulesDetection: true,
      requireWall: false,
      rules: null,
      defaultAgent: null,
      defaultModel: null,
      defaultModels: {},
      defaultModes: {},
      defaultPermissionMode: null,
      defaultTurnTimeoutS: null,
      network: "allowed",
      keepRunsDays: null,
      keepRunsGb: null,
      keepCheckoutsDays: 30,
    };
    assert.deepEqual(await store.settings.get(access.organizationId), fresh);
    const changed = await store.settings.change(access, { rules: "Use tabs.", name: "New" });
    assert.deepEqual(changed, { before: fresh, after: { ...fresh, rules: "Use tabs.", name: "New" } });
    const [one] = await Promise.all([
      store.settings.change(access, { defaultAgent: "codex" }),
      store.settings.change(access, { enableRulesDetection: false }),
    ]);
    assert.equal(one.after.rules, "Use tabs.");
    const now = await store.settings.get(access.organizationId);
    assert.deepEqual([now.name, now.defaultAgent, now.enableRulesDetection], ["New", "codex", false]);
    await assert.rejects(store.settings.get(foreign.organizationId));
  });

  test("writes in one transaction are stored all or not at all, and can be read inside it", async (t) => {
    const { store, access } = await openFixture(t, open);
    const hash = new Uint8Array(32).fill(1);
    const expiresAt = "2026-01-31T13:00:00.000Z";
    const failing = store.transaction(async (inside) => {
      await inside.sessions.create({ hash, userId: access.userId, expiresAt });
      assert.equal(await inside.sessions.findUserId(hash), access.userId);
      await inside.transaction((within) => within.audit.append(row({})));
      assert.equal((await inside.audit.list(access, {}, { skip: 0, limit: 1 })).total, 1);
      throw new Error("not after all");
    });
    await assert.rejects(failing, /not after all/);
    assert.equal(await store.sessions.findUserId(hash), null);
    assert.equal((await store.audit.list(access, {}, { skip: 0, limit: 1 })).total, 0);
    const done = await store.transaction(async (inside) => {
      await inside.audit.append(row({}));
      return "done";
    });
    assert.equal(done, "done");
    assert.equal((await store.audit.list(access, {}, { skip: 0, limit: 1 })).total, 1);
  });
}
