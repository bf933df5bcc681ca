// Tier: rest
import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { test } from "node:test";
import { pullSettingsDefaults } from "#lib/contract/repositories/pull-settings.ts";
import { checkIntegration, sealContextOf } from "#lib/host/open-integration.ts";
import { git } from "#lib/workspace/test-repository.ts";
import { commitIdentityFor } from "./commit-identity.ts";
import { openPulls, writes } from "./pull-request/pulls.fixture.ts";

test("with a GitHub App, work without a commit identity is the App's; with one, or another secret, it is not", async (t) => {
  const opened: { find: ReturnType<typeof commitIdentityFor> | null } = { find: null };
  const of = await openPulls(
    t,
    "github",
    {},
    { findCommitIdentity: (run) => opened.find?.(run) ?? Promise.reject(run) },
  );
  const { store, access, host, fullName, repository, parts } = of;
  const find = commitIdentityFor(store, parts.seal);
  opened.find = find;
  const { publicKey, privateKey } = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
    publicKeyEncoding: { type: "spki", format: "pem" },
  });
  host.appKey = publicKey;
  const secret = JSON.stringify({ app_id: 1, private_key: privateKey });
  const place = { organizationId: access.organizationId, type: "github" } as const;
  const secretSealed = parts.seal.seal(secret, sealContextOf(place, "secret"));
  const check = async () => {
    const row = await store.integrations.put(access, "github", { installationId: 2, secretSealed });
    return await store.integrations.noteCheck(
      row.id,
      row.revision,
      await checkIntegration(row, parts, new AbortController().signal),
    );
  };
  const none = { name: null, email: null, key: null };
  const run = await of.start(writes("two"));
  assert.deepEqual(await find(run), none, "connected by token");
  const row = await check();
  assert.deepEqual([row?.active, row?.account, row?.accountId], [true, "errand[bot]", 2_000_411]);
  const bot = { name: "errand[bot]", email: "2000411+errand[bot]@users.noreply.127.0.0.1", key: null };
  assert.deepEqual(await find(run), bot);
  const folder = await of.addFolder();
  assert.deepEqual(await find({ ...run, repositoryId: folder.repository.id }), none, "of another remote");
  assert.deepEqual(await find({ ...run, repositoryId: null }), none);

  of.engine.start();
  await of.settle(run.id);
  await of.request(run.id);
  await of.settle(run.id, ({ pull }) => pull?.stage === "checking");
  const bare = host.git.folderOf(fullName) ?? "";
  const shown = git(bare, "log", "-1", "--format=%an <%ae>, %cn <%ce>", `errand/run-${run.id}`);
  assert.equal(shown, `${bot.name} <${bot.email}>, ${bot.name} <${bot.email}>`);

  await of.putSettings({ commit_name: "Robot" }, repository.id);
  assert.deepEqual(await find(run), { ...none, name: "Robot" });
  await store.pulls.putSettings(access, repository.id, pullSettingsDefaults);
  await of.connect("another");
  assert.deepEqual(await find(run), none, "the secret of another account");
  host.appKey = null;
  assert.equal((await check())?.active, false);
  assert.deepEqual(await find(run), none, "an App that does not work was never asked for its account");
});
