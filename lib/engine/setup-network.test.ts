// Tier: rest
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { SetupCommands } from "#lib/contract/repositories/setup.ts";
import { namesOf, serving } from "#lib/egress/proxy-under-test.fixture.ts";
import { agentKeyContext } from "#lib/secrets/agent-key-context.ts";
import { createSeal } from "#lib/secrets/seal.ts";
import { probeLayers } from "#lib/workspace/layers-probe.ts";
import { makeRepository, temporaryFolder, testEnv } from "#lib/workspace/test-repository.ts";
import { probeWall } from "#lib/workspace/wall-probe.ts";
import { hasEnded, networkUnderTest, openEngine, sh } from "./engine.fixture.ts";
import { createRunWorkspace } from "./run-workspace.ts";

const probed = { dataDir: tmpdir(), env: testEnv, user: null, hidden: [] };
const holds = (await probeWall(probed)).holds && (await probeLayers(probed)).holds;
const skip = holds ? false : "the wall or its layers do not hold here";
const secret = `of-the-setup-${randomBytes(24).toString("base64url")}`;
const environment = { PATH: process.env.PATH ?? "" };

test("setup commands get their secrets and hosts, the agent neither, and nothing that is kept holds a secret", {
  skip,
}, async (t) => {
  const dataDir = temporaryFolder(t);
  const port = await serving(t, "127.0.0.3", (request, response) => {
    response.end(request.headers.authorization === `Bearer ${secret}` ? "let in" : "who is there");
  });
  const network = {
    ...networkUnderTest(dataDir, environment),
    permitted: new Set<string>(),
    find: namesOf({ "registry.test": () => ["127.0.0.3"], "own.test": () => ["127.0.0.3"] }),
  };
  const workspace = createRunWorkspace({ dataDir, environment, sandbox: "auto" });
  const opened = await openEngine(t, { workspace, network, isolation: "wall" }, { dataDir });
  const { store, access, entries, create, until } = opened;
  const source = join(temporaryFolder(t), "source");
  makeRepository(source, { ".gitignore": "deps/\n", "package-lock.json": "{}\n" });
  const names = { name: "x", fullName: "o/x", description: null, source, defaultBranch: "main" };
  const { id: repositoryId } = (await store.repositories.add(access, names)).repository;
  const place = { variable: "SETUP_TOKEN", repositoryId };
  const seal = createSeal({ key: null, file: join(dataDir, "secret.key") });
  await store.agentKeys.put(access, {
    ...place,
    sealed: seal.seal(secret, agentKeyContext(access.organizationId, place)),
  });
  opened.engine.start();
  const accept = (install: string[]) =>
    store.setups.change(
      access,
      repositoryId,
      SetupCommands.parse({ install, env: ["SETUP_TOKEN", "NOT_KEPT"], network: [{ host: "registry.test", port }] }),
      null,
    );
  const run = async () => {
    const { id } = await create(
      sh(
        `env | grep -c SETUP_TOKEN || true; grep -lz SETUP_TOKEN /proc/*/environ || true; curl -s -x http://127.0.0.1:3128 http://registry.test:${port}`,
      ),
      { repositoryId },
    );
    await until(id, hasEnded);
    const lines = await entries(id);
    assert.ok(!JSON.stringify(lines).includes(secret) && !JSON.stringify(lines).includes(encoded), "0 hits in entries");
    const outputs = lines.flatMap(({ tool_output }) =>
      String(Object(tool_output).output ?? Object(tool_output).text ?? ""),
    );
    const denials = await store.networks.listDenials(access, id);
    const refused = denials?.map(({ rule }) => rule).sort();
    return { said: outputs.filter((text) => text !== "" && text !== "undefined"), refused };
  };
  const encoded = Buffer.from(secret).toString("base64").slice(0, -4);
  const ask = `curl -s -H "Authorization: Bearer $SETUP_TOKEN" http://registry.test:${port}`;
  const install = [
    `mkdir deps; seq 300 | while read -r n; do : > deps/$n; done; ${ask}; echo; echo "$SETUP_TOKEN" | base64 -w 0; echo "$SETUP_TOKEN"`,
  ];
  await accept(install);
  const first = await run();
  assert.match(
    first.said[0] ?? "",
    /^The setup commands need variables for which no key is saved: NOT_KEPT\. An admin/,
  );
  // Private addresses that the instance's owner has not permitted are refused; the setup's own host is permitted.
  assert.deepEqual(first.refused, ["host_not_allowed", "private_address"]);
  network.permitted.add(`registry.test:${port}`);
  await accept(install);
  const [, setup = "", kept = "", agent = ""] = (await run()).said;
  assert.match(setup, /^let in\n\[secret masked\]/);
  assert.match(kept, /Saved as setup cache/);
  assert.match(agent, /^0\n(?!\/proc)/, "the agent's environment has no such variable");

  await accept([
    `mkdir deps; echo "$SETUP_TOKEN" | base64 > deps/.npmrc; for n in $(seq 300); do echo $n > deps/$n; done`,
  ]);
  const { said: again } = await run();
  assert.ok(
    again.some((text) => text.includes("it contains a secret of the setup")),
    again.join("\n"),
  );
  const all = readdirSync(join(dataDir, "prepared"), { recursive: true, withFileTypes: true }).filter((one) =>
    one.isFile(),
  );
  const texts = all.map(({ parentPath, name }) => readFileSync(join(parentPath, name), "latin1"));
  assert.ok(texts.length > 300 && !texts.some((text) => text.includes(secret) || text.includes(encoded)));
});
