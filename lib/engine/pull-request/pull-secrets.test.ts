// Tier: rest
import assert from "node:assert/strict";
import { test } from "node:test";
import { builtInAgents } from "#lib/engine/engine.fixture.ts";
import { agentKeyContext } from "#lib/secrets/agent-key-context.ts";
import { createSeal } from "#lib/secrets/seal.ts";
import { openPulls, writes } from "./pulls.fixture.ts";

const key = "7Gk2pXv9QmTf5hJ3wB4cR6yL1zNaUsE8";
const variable = "Hk4Tz8Wc1Rb6Yq3Mx9Ld5Vn7";
const masked = "[secret masked]";
const encoded = Buffer.from(key).toString("base64");
const uses = { host: "api.test", header: "x-api-key", baseUrl: "MODEL_BASE_URL", path: "" };
const profiles = builtInAgents
  .filter(({ id }) => id === "steps")
  .map((profile) => ({ ...profile, keys: [{ ...uses, variable: "MODEL_API_KEY" }] }));

test("a pull request's title, text and branch, and the commits' messages, mask keys and variables by value", async (t) => {
  const of = await openPulls(t, "github", { variablesOf: () => [{ OTHER_TOKEN: variable }] }, { profiles });
  const { host, store, access, engine, dataDir, fullName } = of;
  const place = { variable: "MODEL_API_KEY", repositoryId: null };
  const { seal } = createSeal({ key: null, file: `${dataDir}/secret.key` });
  await store.agentKeys.put(access, { ...place, sealed: seal(key, agentKeyContext(access.organizationId, place)) });
  engine.start();
  const run = await of.start(
    `Log in with ${key.slice(0, 20)}\u200b${key.slice(20)}\n\nor ${variable}\n\n${writes("two")}`,
  );
  await of.settle(run.id);
  const shown = () => {
    const [pull] = host.pullsOf(fullName);
    return [pull?.title, pull?.body, pull?.branch] as const;
  };

  await of.request(run.id);
  assert.equal((await of.settle(run.id)).pull?.state, "open", of.log.join("\n"));
  const [, body, branch] = shown();
  assert.equal(branch, `errand/run-${run.id}`);
  assert.ok(body?.includes(`Log in with ${masked}\n\nor ${masked}`), body);
  const messages = await host.git.messages(fullName, `errand/run-${run.id}`);
  assert.match(messages, /^Log in with \[secret masked\]$/m);

  const asked = {
    title: `With ${encoded}`,
    body: `Or ${key.slice(0, 9)}\n${key.slice(9)}`,
    draft: null,
    baseBranch: null,
  };
  await store.pulls.request(access, run.id, asked);
  await of.settle(run.id);
  assert.ok(shown()[0]?.startsWith(`With ${masked}`), shown()[0]);
  assert.ok(shown()[1]?.startsWith(`Or ${masked}\n`), shown()[1]);
  for (const text of [...shown(), messages, JSON.stringify(of.log)]) {
    for (const secret of [key, variable, encoded.slice(0, -2)]) {
      for (let at = 0; at + 12 <= secret.length; at += 1) assert.ok(!text?.includes(secret.slice(at, at + 12)), text);
    }
  }
});
