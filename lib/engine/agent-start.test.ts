import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { test } from "node:test";
import { acpDriver } from "#lib/agents/acp/driver.ts";
import { builtInProfiles, defaultProfile } from "#lib/agents/profiles.ts";
import { temporaryFolder } from "#lib/workspace/test-repository.ts";
import { hasEnded, openEngine, sh } from "./engine.fixture.ts";

test("the built-in agent uses what Node has compiled for the service, its steps know nothing of it", async (t) => {
  const cache = temporaryFolder(t);
  const environment = { PATH: process.env.PATH ?? "", NODE_COMPILE_CACHE: cache };
  const profiles = builtInProfiles.filter(({ id }) => id === "steps");
  const { engine, create, entries, until } = await openEngine(t, { driver: acpDriver(environment), profiles });
  const run = await create(sh('echo "cache: [$NODE_COMPILE_CACHE]"'));
  engine.start();
  await until(run.id, hasEnded);
  assert.match(JSON.stringify(await entries(run.id)), /cache: \[\]/);
  assert.ok(readdirSync(cache).length > 0);
});

test("an agent that ends at its start fails the run, and the error is not dated before the message", async (t) => {
  const command = [process.execPath, "-e", "console.error('no license found'); process.exit(3)"];
  const { engine, create, entries, until } = await openEngine(t, {
    driver: acpDriver({ PATH: process.env.PATH ?? "" }),
    profiles: [{ ...defaultProfile("ends", "Ends"), command }],
  });
  const run = await create("Look", { agent: "ends" });
  engine.start();
  assert.equal((await until(run.id, hasEnded)).status, "failed");
  const log = await entries(run.id);
  assert.deepEqual(
    log.map(({ message_type }) => message_type),
    ["USER_MESSAGE", "ERROR"],
  );
  assert.match(JSON.stringify(log[1]), /exit code 3.*no license found/);
  assert.ok((log[0]?.created_at ?? "") <= (log[1]?.created_at ?? ""));
});
