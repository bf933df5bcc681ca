import assert from "node:assert/strict";
import { test } from "node:test";
import { IntegrationSettings } from "#lib/contract/integrations/integration.ts";
import { type OpenStore, openFixture } from "#lib/store/conformance.fixture.ts";

/** Integrations. */
export function integrationConformance(open: OpenStore): void {
  test("an integration is kept once for each type, and what a change leaves out stays", async (t) => {
    const { store, access, foreign } = await openFixture(t, open);
    const { integrations } = store;
    assert.deepEqual(await integrations.list(access), []);
    const made = await integrations.put(access, "github", { secretSealed: "one", baseUrl: "https://git.example" });
    assert.deepEqual(made, {
      id: made.id,
      organizationId: access.organizationId,
      type: "github",
      baseUrl: "https://git.example",
      account: null,
      accountKind: null,
      accountId: null,
      installationId: null,
      secretSealed: "one",
      hookSecretSealed: null,
      active: false,
      checkedAt: null,
      error: null,
      errorRepository: null,
      settings: IntegrationSettings.parse({}),
      revision: 1,
      createdAt: "2026-01-31T12:00:00.000Z",
      changedAt: "2026-01-31T12:00:00.000Z",
    });
    const settings = IntegrationSettings.parse({ mention: "robot", repositories: { C1: 7 } });
    const changed = await integrations.put(access, "github", { settings, hookSecretSealed: "hook" });
    assert.deepEqual(changed, { ...made, settings, hookSecretSealed: "hook", revision: 2 });
    assert.deepEqual(await integrations.list(access), [changed]);
    assert.deepEqual(await integrations.find(access, "github"), changed);
    assert.deepEqual(await integrations.findById(made.id), changed);
    assert.equal(await integrations.find(access, "gitlab"), null);
    assert.deepEqual(await integrations.listByType("github"), [changed]);
    assert.deepEqual(await integrations.listByType("gitlab"), []);
    assert.deepEqual(await integrations.list(foreign), []);
    assert.equal(await integrations.find(foreign, "github"), null);
    assert.equal(await integrations.remove(foreign, "github"), null);
  });

  test("a check has a time, says why it failed, and says nothing of what was changed since", async (t) => {
    const { store, access, advance } = await openFixture(t, open);
    const { integrations } = store;
    const { id } = await integrations.put(access, "slack", { secretSealed: "one" });
    advance(1000);
    const works = { active: true, account: "errand", accountKind: "bot", accountId: 41 } as const;
    const checked = await integrations.noteCheck(id, 1, works);
    assert.deepEqual(
      [checked?.active, checked?.account, checked?.accountKind, checked?.accountId, checked?.checkedAt, checked?.error],
      [true, "errand", "bot", 41, "2026-01-31T12:00:01.000Z", null],
    );
    const failed = await integrations.noteCheck(id, 1, { active: false, error: "gone" });
    assert.deepEqual([failed?.active, failed?.account, failed?.error], [false, "errand", "gone"]);
    const changed = await integrations.put(access, "slack", { secretSealed: "two" });
    assert.deepEqual([changed.active, changed.account, changed.checkedAt, changed.error], [false, null, null, null]);
    assert.equal(changed.accountId, null, "another secret may belong to another account");
    assert.deepEqual(await integrations.noteCheck(id, 1, works), changed, "that was a check of the secret before");
    assert.equal((await integrations.noteCheck(id, 2, works))?.active, true);
  });

  test("what is refused for one repository leaves the integration as it is, and hides no error of its own", async (t) => {
    const { store, access } = await openFixture(t, open);
    const { integrations } = store;
    const { id } = await integrations.put(access, "github", { secretSealed: "one" });
    const works = { active: true, account: "errand", accountKind: "bot" } as const;
    const shown = async () => {
      const row = await integrations.findById(id);
      return [row?.active, row?.error, row?.errorRepository];
    };
    await integrations.noteCheck(id, 1, works);
    await integrations.noteRefusal(id, 1, { repository: "team/app", error: "no" });
    assert.deepEqual(await shown(), [true, "no", "team/app"]);
    await integrations.noteRefusal(id, 1, { repository: "team/web", error: "never" });
    assert.deepEqual(await shown(), [true, "never", "team/web"]);
    await integrations.noteCheck(id, 1, { active: false, error: "gone" });
    assert.deepEqual(await shown(), [false, "gone", null]);
    await integrations.noteRefusal(id, 1, { repository: "team/app", error: "no" });
    assert.deepEqual(await shown(), [false, "gone", null]);
    await integrations.noteCheck(id, 1, works);
    await integrations.noteRefusal(id, 1, { repository: "team/app", error: "no" });
    await integrations.put(access, "github", { secretSealed: "two" });
    await integrations.noteRefusal(id, 1, { repository: "team/app", error: "no" });
    assert.deepEqual(await shown(), [false, null, null], "that was refused to the secret before");
  });

  test("an integration that moves to another address is another one, and has nothing but the settings of the one before", async (t) => {
    const { store, access } = await openFixture(t, open);
    const { integrations } = store;
    const settings = IntegrationSettings.parse({ mention: "robot" });
    const secrets = { secretSealed: "one", hookSecretSealed: "hook", installationId: 4 };
    const first = await integrations.put(access, "github", { ...secrets, settings });
    await integrations.noteCheck(first.id, 1, { active: true, account: "errand", accountKind: "user" });
    const same = await integrations.put(access, "github", { baseUrl: "https://GitHub.com" });
    assert.deepEqual([same.id, same.revision, same.hookSecretSealed], [first.id, 2, "hook"]);
    const moved = await integrations.put(access, "github", { baseUrl: "https://git.example", secretSealed: "two" });
    assert.notEqual(moved.id, first.id);
    assert.equal(await integrations.findById(first.id), null);
    const { account, hookSecretSealed, installationId, revision } = moved;
    assert.deepEqual([account, hookSecretSealed, installationId, revision], [null, null, null, 1]);
    assert.deepEqual([moved.settings, moved.secretSealed], [settings, "two"]);
    const back = await integrations.put(access, "github", { baseUrl: null, settings: IntegrationSettings.parse({}) });
    assert.deepEqual([back.baseUrl, back.secretSealed, back.settings.mention], [null, null, "errand"]);
  });

  test("a removed integration is gone, and connecting it again creates another one", async (t) => {
    const { store, access } = await openFixture(t, open);
    const { integrations } = store;
    const first = await integrations.put(access, "linear", { secretSealed: "one" });
    assert.deepEqual(await integrations.remove(access, "linear"), first);
    assert.equal(await integrations.remove(access, "linear"), null);
    assert.equal(await integrations.findById(first.id), null);
    assert.equal(await integrations.noteCheck(first.id, 1, { active: false, error: "gone" }), null);
    const second = await integrations.put(access, "linear", {});
    assert.notEqual(second.id, first.id);
    assert.equal(second.secretSealed, null);
  });
}
