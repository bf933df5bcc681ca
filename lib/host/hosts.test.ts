import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { describe, test } from "node:test";
import { allowedOf } from "#lib/outbound/allowed.fixture.ts";
import { createOutbound } from "#lib/outbound/outbound.ts";
import { CodeHost, hostToken } from "./code-host.fixture.ts";
import { hostConformance } from "./conformance.ts";
import { InstallationTokens } from "./installation-tokens.ts";
import { openHost } from "./open-host.ts";
import { pullConformance } from "./pull-conformance.ts";

const { send } = createOutbound(allowedOf("127.0.0.0/8"));
for (const kind of ["github", "gitlab", "forgejo"] as const) {
  describe(kind, () => {
    hostConformance(kind, send);
    pullConformance(kind, send);
  });
}

test("a GitHub App authenticates with its key and acts through its installation", async (t) => {
  const server = await CodeHost.open("github");
  t.after(() => server.close());
  const { privateKey, publicKey } = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    privateKeyEncoding: { type: "pkcs1", format: "pem" },
    publicKeyEncoding: { type: "spki", format: "pem" },
  });
  server.appKey = publicKey;
  server.addPerson("ada", "write");
  const { signal } = new AbortController();
  const credential = { kind: "app", appId: 12, privateKey, installationId: 34 } as const;
  const host = openHost("github", { baseUrl: server.baseUrl, credential, send });
  assert.deepEqual(await host.identity(signal), { login: "errand[bot]", kind: "app", botId: 2_000_411 });
  assert.equal(await host.permission("team/app", { id: 1, login: "ada" }, signal), "write");
  const tokens = server.requests.filter(({ path }) => path === "/app/installations/34/access_tokens");
  assert.equal(tokens.length, 1, "a token of the installation is used again");
  let aheadMs = 0;
  const shared = new InstallationTokens(() => Date.now() + aheadMs);
  const again = () => openHost("github", { baseUrl: server.baseUrl, credential, send, tokens: shared });
  for (let calls = 0; calls < 3; calls++) assert.equal(await again().gitToken(signal), hostToken);
  const asked = () => server.requests.filter(({ path }) => path.endsWith("/access_tokens")).length;
  assert.equal(asked(), 2, "also by calls that are opened again");
  const other = { ...credential, privateKey: `${privateKey}\n` };
  await openHost("github", { baseUrl: server.baseUrl, credential: other, send, tokens: shared }).gitToken(signal);
  assert.equal(asked(), 3, "another key gets no token that was made with this one");
  await again().gitToken(signal);
  assert.equal(asked(), 3);
  aheadMs = 600_001;
  await again().gitToken(signal);
  assert.equal(asked(), 4, "its rights may have changed meanwhile");
  aheadMs = -3_600_000;
  await again().gitToken(signal);
  assert.equal(asked(), 5, "the clock was set back: it may have ended");
  const broken = openHost("github", { baseUrl: server.baseUrl, credential: { ...credential, privateKey: "x" }, send });
  await assert.rejects(broken.identity(signal), /The private key cannot be read/);
  const without = openHost("github", {
    baseUrl: server.baseUrl,
    credential,
    send: (request) => send(request.url.includes("/users/") ? { ...request, url: `${request.url}-gone` } : request),
  });
  assert.deepEqual(await without.identity(signal), { login: "errand[bot]", kind: "app" }, "it works without");
});
