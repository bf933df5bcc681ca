// Tier: rest
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

/** An ACP agent that writes to a full disk: when a session opens, or before it says anything. */
const full = `
const { writeFileSync } = require("node:fs");
if (process.argv[1] === "at once") writeFileSync("/dev/full", "state");
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method } = JSON.parse(line);
  const answer = (more) => console.log(JSON.stringify({ jsonrpc: "2.0", id, ...more }));
  if (method === "initialize") return answer({ result: { protocolVersion: 1, agentCapabilities: {}, authMethods: [] } });
  try {
    writeFileSync("/dev/full", "state");
  } catch (error) {
    answer({ error: { code: -32603, message: "Internal error", data: { details: error.message } } });
  }
});`;

for (const when of ["when its session opens", "at once"]) {
  test(`an agent that meets a full disk ${when} fails the run with disk_full`, async (t) => {
    const { engine, create, entries, until } = await openEngine(t, {
      driver: acpDriver({ PATH: process.env.PATH ?? "" }),
      profiles: [{ ...defaultProfile("full", "Full"), command: [process.execPath, "-e", full, when] }],
    });
    const run = await create("Look", { agent: "full" });
    engine.start();
    assert.equal((await until(run.id, hasEnded)).status, "failed");
    const { code, message, data } = Object((await entries(run.id)).at(-1)?.observation);
    assert.equal(code, "disk_full");
    assert.match(message, /^The disk was full when the agent started\. Resume the run when there is space\. /);
    assert.match(JSON.stringify(data), /no space left on device/, "the agent's own words are kept");
  });
}
