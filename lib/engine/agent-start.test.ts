import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { test } from "node:test";
import { acpDriver } from "#lib/agents/acp/driver.ts";
import { builtInProfiles } from "#lib/agents/profiles.ts";
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
