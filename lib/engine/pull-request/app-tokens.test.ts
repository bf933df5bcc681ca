// Tier: rest
import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { type TestContext, test } from "node:test";
import { sourceCredentialsFrom } from "#lib/host/git-authorization.ts";
import { InstallationTokens } from "#lib/host/installation-tokens.ts";
import { sealContextOf } from "#lib/host/open-integration.ts";
import { openPulls, writes } from "./pulls.fixture.ts";

const { privateKey, publicKey } = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
  publicKeyEncoding: { type: "spki", format: "pem" },
});

/** An engine connected to GitHub by an App, whose tokens it keeps as the real one does. */
async function openWithApp(t: TestContext) {
  const tokens = new InstallationTokens();
  const find = (...asked: Parameters<ReturnType<typeof sourceCredentialsFrom>>) =>
    sourceCredentialsFrom(of.store, of.parts)(...asked);
  const of = await openPulls(t, "github", { tokens }, { findCredential: find });
  of.host.appKey = publicKey;
  const secret = JSON.stringify({ app_id: 12, private_key: privateKey });
  const place = { organizationId: of.access.organizationId, type: "github" } as const;
  const secretSealed = of.parts.seal.seal(secret, sealContextOf(place, "secret"));
  const changes = { baseUrl: of.host.baseUrl, installationId: 34, secretSealed };
  const { id, revision } = await of.store.integrations.put(of.access, "github", changes);
  await of.store.integrations.noteCheck(id, revision, { active: true, account: "errand[bot]", accountKind: "app" });
  of.engine.start();
  const made = () => of.host.requests.filter(({ path }) => path.endsWith("/access_tokens")).length;
  return { of, made };
}

test("a run goes through although GitHub ends the App's token before its fetches, its push and its opening", async (t) => {
  const { of, made } = await openWithApp(t);
  const first = await of.start(writes("two"));
  await of.settle(first.id);
  assert.equal(made(), 1);
  of.host.endTokens();
  const run = await of.start(writes("three"));
  assert.equal((await of.settle(run.id)).status, "completed", "the fetch");
  assert.equal(made(), 2);
  of.host.endTokens();
  of.host.onPush = () => of.host.endTokens();
  await of.request(run.id);
  const { pull } = await of.settle(run.id);
  // One more each for the fetch before the commits are checked, the push and the opening.
  assert.deepEqual([pull?.error, pull?.state, made()], [null, "open", 5], of.log.join("\n"));
});

test("an App that is suspended or has another key is named in the advice, and the request succeeds afterwards", async (t) => {
  const { of } = await openWithApp(t);
  const run = await of.start(writes("two"));
  await of.settle(run.id);
  of.host.endTokens();
  of.host.appKey = null;
  await of.request(run.id);
  const failed = await of.settle(run.id);
  assert.equal(failed.pull?.error?.code, "unauthorized");
  assert.match(failed.pull?.error?.hint ?? "", /whether the App is suspended or uninstalled, or its key was deleted/);
  const lost = await of.start(writes("three"));
  await of.settle(lost.id);
  const [error] = (await of.entries(lost.id)).filter(({ message_type }) => message_type === "ERROR");
  assert.match(String(Object(error?.observation).message), /whether the App is suspended/);
  of.host.appKey = publicKey;
  await of.request(run.id);
  assert.equal((await of.settle(run.id)).pull?.state, "open");
});
