// Tier: rest
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { LogEntry } from "#lib/contract/logs/entry.ts";
import { SetupCommands } from "#lib/contract/repositories/setup.ts";
import { temporaryFolder } from "#lib/workspace/test-repository.ts";
import { probeWall } from "#lib/workspace/wall-probe.ts";
import { hasEnded, openEngine, sh } from "./engine.fixture.ts";
import { createRunWorkspace } from "./run-workspace.ts";
import { environment, steps, walled } from "./walled.fixture.ts";

const outputs = (entries: LogEntry[]) =>
  entries.flatMap(({ tool_output }) => {
    const output = Object(tool_output).output;
    return typeof output === "string" ? [output] : [];
  });

const { holds } = await probeWall({ dataDir: tmpdir(), env: environment, user: null, hidden: [] });
const users = [null, ...(process.getuid?.() === 0 ? [{ uid: 54_321, gid: 54_321 }] : [])];

for (const user of holds ? users : []) {
  test(`a run works behind the wall over two turns${user === null ? "" : ", as its own user"}`, async (t) => {
    const { dataDir, create, until, entries, store, access, repositoryId } = await walled(t, environment.PATH, user);
    const { id } = await create(
      sh(
        "cat ignored",
        `cat ${JSON.stringify(join(dataDir, "errand.db"))} 2>&1 || true`,
        "echo one > new.txt",
        "git add new.txt && git commit -qm mine",
        "echo two > more.txt",
      ),
      { repositoryId },
    );
    const first = await until(id, hasEnded);
    const log = await entries(id);
    assert.deepEqual([first.status, first.isolation], ["completed", "wall"], JSON.stringify(log.at(-1)));
    assert.ok(outputs(log).includes("/workspace\n"), "the setup ran in the wall too");
    assert.ok(
      outputs(log).some((output) => output.includes("No such file")),
      "the store is not there",
    );
    await store.runs.addTurn(access, id, {
      prompt: sh("cat new.txt more.txt ignored; git log --format=%s; id -u"),
      images: [],
      model: null,
    });
    const second = await until(id, (run) => hasEnded(run) && run.turns === 2 && run.queuedTurns === 0);
    assert.deepEqual([second.status, second.changes?.files], ["completed", 2]);
    const last = outputs((await entries(id)).slice(log.length)).join("");
    assert.match(last, /^one\ntwo\n\/workspace\n/);
    assert.match(last, /\nmine\nfirst\n/);
    assert.ok(last.endsWith(`\n${user?.uid ?? process.getuid?.()}\n`));
    const begun = (await entries(id)).filter(({ message_type }) => message_type === "USER_MESSAGE");
    assert.equal(Object(begun[1]?.observation).session ?? Object(begun[1]?.tool_input).session, "resumed");
  });
}

for (const user of holds ? users : []) {
  test(`behind the wall the proxy is the only way out${user === null ? "" : ", also for its own user"}`, async (t) => {
    const { create, until, entries, store, access, repositoryId, port } = await walled(t, environment.PATH, user);
    await store.networks.putRules(access, null, [{ host: "models.test", port }]);
    const get = (name: string) =>
      `node -e 'fetch("http://${name}:${port}").then(async (r) => console.log(r.status, await r.text())).catch((e) => console.log(e.cause.message))'`;
    const reached = `node -e 'require("net").connect(${port}, "127.0.0.3").on("error", (e) => console.log(e.code))'`;
    await store.setups.change(access, repositoryId, SetupCommands.parse({ install: [get("models.test")] }), null);
    const { id } = await create(sh(get("models.test"), get("other.test"), reached), { repositoryId });
    const run = await until(id, hasEnded);
    assert.equal(run.status, "completed", JSON.stringify((await entries(id)).at(-1)));
    const [setup, allowed, refused, direct] = outputs(await entries(id)).map((output) => output.trim());
    assert.equal(setup, `200 served models.test:${port}`, "the setup has the way out from its first command");
    assert.equal(allowed, `200 served models.test:${port}`);
    assert.ok(refused !== undefined && !refused.includes("served"), refused);
    assert.equal(direct, "ECONNREFUSED");
    const denials = (await store.networks.listDenials(access, id)) ?? [];
    assert.deepEqual(
      denials.map(({ host }) => host),
      [`other.test:${port}`],
    );
  });
}

for (const agentUser of holds ? users : []) {
  const whose = agentUser === null ? "" : ", for a user of its own too";
  test(`a sign-in is given behind the wall, and a renewed one is carried back${whose}`, async (t) => {
    const dataDir = temporaryFolder(t);
    const tool = temporaryFolder(t);
    writeFileSync(join(tool, "auth.json"), '{"renewed": 0}');
    const workspace = createRunWorkspace({
      dataDir,
      environment: { ...environment, TOOL: tool },
      sandbox: "auto",
      agentUser,
    });
    const profiles = steps.map((profile) => ({
      ...profile,
      passEnv: ["TOOL"],
      signIn: [{ file: "auth.json", folder: ".tool", variable: "TOOL" }],
    }));
    const opened = await openEngine(t, { workspace, profiles, isolation: "wall" }, { dataDir });
    opened.engine.start();
    const { id } = await opened.create(
      sh("cat ~/.tool/auth.json; printenv TOOL || echo none", `echo '{"renewed": 1}' > ~/.tool/auth.json`),
    );
    assert.equal((await opened.until(id, hasEnded)).status, "completed");
    assert.equal(outputs(await opened.entries(id))[0], '{"renewed": 0}none\n');
    assert.equal(readFileSync(join(tool, "auth.json"), "utf8"), '{"renewed": 1}\n');
  });
}
