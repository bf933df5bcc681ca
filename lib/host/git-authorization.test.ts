import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { createSeal } from "#lib/secrets/seal.ts";
import { openFixture } from "#lib/store/conformance.fixture.ts";
import { openStore } from "#lib/store/sqlite/open-store.ts";
import { temporaryFolder } from "#lib/workspace/test-repository.ts";
import { sourceCredentialsFrom } from "./git-authorization.ts";
import { sealContextOf } from "./open-integration.ts";

test("a run whose source needs a secret that cannot be decrypted is told whose, and only the log is told why", async (t) => {
  const folder = temporaryFolder(t);
  const { store, access } = await openFixture(t, () => openStore({ file: `${folder}/errand.db` }));
  const { organizationId } = access;
  const before = createSeal({ key: randomBytes(32), file: "" });
  const secret = JSON.stringify({ token: "ghp_4711" });
  const secretSealed = before.seal(secret, sealContextOf({ organizationId, type: "github" }, "secret"));
  await store.integrations.put(access, "github", { secretSealed });
  for (const source of [
    { key: randomBytes(32), file: "" },
    { key: null, file: `${folder}/secret.key` },
  ]) {
    const told: string[] = [];
    const seal = createSeal(source, ({ reason }) => told.push(reason));
    const send = () => assert.fail("nothing is sent");
    const find = sourceCredentialsFrom(store, { seal, send });
    assert.deepEqual(await find(organizationId, "https://github.com/team/app.git", AbortSignal.timeout(60_000)), {
      lacks: "GitHub's secret cannot be decrypted: enter it again.",
    });
    assert.match(
      told.join(),
      source.key === null ? /is gone: put back .*\/secret\.key/ : /sealed with key [0-9a-f]{8}/,
    );
  }
});
