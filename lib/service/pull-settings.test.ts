import assert from "node:assert/strict";
import { test } from "node:test";
import { createSeal } from "#lib/secrets/seal.ts";
import { signingSealContext } from "#lib/secrets/signing-context.ts";
import { ApiUnderTest } from "#lib/web/api-under-test.ts";

test("a signing key that another secret key encrypted is counted as such, and replaced when the settings are saved", async (t) => {
  const api = await ApiUnderTest.open();
  t.after(() => api.close());
  const { store, home } = api;
  const names = { name: "app", fullName: "acme/app", description: null, defaultBranch: null };
  const { repository } = await store.repositories.add(home, { ...names, source: "https://example.com/acme/app.git" });
  const token = await api.token();
  const path = `/v1/organizations/${home.organizationId}/repos/${repository.id}/pull-settings`;
  const put = async (body: object) => {
    const { status, json } = await api.ask("PUT", path, { token, body });
    assert.equal(status, 200);
    return json.signing_key;
  };
  const first = await put({ signing: "ssh" });
  assert.equal(await put({ draft: false }), first, "a usable key stays");
  const [inUse] = await store.sealKeyIds();
  const lost = createSeal({ key: Buffer.alloc(32, 7), file: "" });
  const sealed = lost.seal("a private key", signingSealContext(repository));
  await store.pulls.putSigningKey(home, repository.id, { publicKey: "ssh-ed25519 lost", sealed });
  assert.deepEqual(await store.sealKeyIds(), [lost.keyId()]);

  assert.equal(await put({ signing: "none" }), "ssh-ed25519 lost");
  assert.deepEqual(await store.sealKeyIds(), [], "a key that is not used does not count");
  const second = await put({ signing: "ssh" });
  assert.match(String(second), /^ssh-ed25519 /);
  assert.ok(second !== first && second !== "ssh-ed25519 lost");
  assert.deepEqual(await store.sealKeyIds(), [inUse]);
});
