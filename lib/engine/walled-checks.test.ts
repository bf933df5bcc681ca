// Tier: rest
import assert from "node:assert/strict";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { checkSuiteDefaults } from "#lib/contract/repositories/check-suite.ts";
import { SetupCommands } from "#lib/contract/repositories/setup.ts";
import { agentKeyContext } from "#lib/secrets/agent-key-context.ts";
import { createSeal } from "#lib/secrets/seal.ts";
import { probeLayers } from "#lib/workspace/layers-probe.ts";
import { listPrepared, removePrepared } from "#lib/workspace/prepared-checkouts.ts";
import { probeWall } from "#lib/workspace/wall-probe.ts";
import { hasEnded, sh } from "./engine.fixture.ts";
import { PullRequests } from "./pull-request/pull-requests.ts";
import { pullPartsUnderTest } from "./pull-request/pulls-parts.fixture.ts";
import { environment, walled } from "./walled.fixture.ts";

const probed = { dataDir: tmpdir(), env: environment, user: null, hidden: [] };
const { holds } = await probeWall(probed);
const layersHold = holds && (await probeLayers(probed)).holds;
const options = { title: null, body: null, draft: null, baseBranch: null };

if (holds) {
  test("a repository's own checks run behind the wall, without the variables that only setup commands have", async (t) => {
    const { dataDir, create, until, entries, store, access, repositoryId } = await walled(t, environment.PATH);
    const place = { variable: "SETUP_TOKEN", repositoryId };
    const seal = createSeal({ key: null, file: join(dataDir, "secret.key") });
    const sealed = seal.seal("of the setup alone", agentKeyContext(access.organizationId, place));
    await store.agentKeys.put(access, { ...place, sealed });
    const look = `pwd; cat ${JSON.stringify(join(dataDir, "errand.db"))} 2>&1 || true; cat ignored; echo left > left.txt`;
    const commands = SetupCommands.parse({
      install: ['echo "$SETUP_TOKEN" | wc -c > ignored'],
      test: [`${look}; echo "token: $SETUP_TOKEN"; exit 1`],
      env: ["SETUP_TOKEN"],
    });
    await store.setups.change(access, repositoryId, commands, null);
    await store.repositories.putChecks(access, repositoryId, { ...checkSuiteDefaults, check_retry_count: 0 });
    const { id } = await create(sh("echo two > new.txt"), { repositoryId });
    assert.equal((await until(id, hasEnded)).status, "completed");
    await store.pulls.request(access, id, options);
    const pulls = new PullRequests(pullPartsUnderTest(store, dataDir, () => new Date()));
    t.after(() => pulls.stop());
    pulls.start();
    const run = await until(id, hasEnded);
    const all = await entries(id);
    assert.deepEqual([run.pull?.verdict, run.pull?.state], ["red", "pushed"], JSON.stringify(all.at(-1)));
    const [found] = all.filter(({ message_type }) => message_type === "DETECT_PR_ERRORS");
    const said = String(Object(found?.observation).checks[0].excerpt);
    assert.match(said, /^\/workspace\n/);
    assert.match(said, /No such file or directory\n19\n/, "the store is not there; what the setup made is");
    assert.match(said, /token: ?\n\nThe command exited with 1\.$/);
  });
}

if (layersHold) {
  test("checks do not run without what a removed setup cache held; the next turn makes it again", async (t) => {
    const { dataDir, create, until, entries, store, access, repositoryId } = await walled(t, environment.PATH);
    const install = "mkdir -p ignored && seq 300 | while read -r n; do echo made > ignored/$n; done";
    const commands = SetupCommands.parse({ install: [install], test: ["cat ignored/7"] });
    await store.setups.change(access, repositoryId, commands, null);
    const runStep = async () => {
      const { id } = await create(sh("echo two > new.txt"), { repositoryId });
      await until(id, hasEnded);
      return id;
    };
    await runStep();
    const id = await runStep();
    for (const name of await listPrepared(dataDir)) assert.equal(await removePrepared({ dataDir, ...name }), true);
    const pulls = new PullRequests(pullPartsUnderTest(store, dataDir, () => new Date()));
    t.after(() => pulls.stop());
    pulls.start();
    for (const _ of [1, 2]) {
      await store.pulls.request(access, id, options);
      const { pull } = await until(id, hasEnded);
      assert.equal(pull?.verdict, "no_checks");
      assert.match(String(pull.reason), /could not be run: The setup cache that the run used was removed/);
    }
    await store.runs.addTurn(access, id, { prompt: sh("echo three > new.txt"), images: [], model: null });
    await until(id, (run) => run.turns === 2 && hasEnded(run));
    await store.pulls.request(access, id, options);
    const { pull } = await until(id, hasEnded);
    assert.deepEqual([pull?.verdict, pull?.checks?.passed], ["green", 1], JSON.stringify((await entries(id)).at(-1)));
  });

  test("commands that Errand ends for their memory say so, and one that the kernel kills names the signal", async (t) => {
    const limits = { memoryBytes: 400 * 1024 ** 2 };
    const { dataDir, create, until, entries, store, access, repositoryId } = await walled(
      t,
      environment.PATH,
      null,
      "wall",
      limits,
    );
    const eat = "node -e 'const all = []; setInterval(() => all.length < 20 && all.push(Buffer.alloc(5e7, 1)), 100)'";
    const commands = SetupCommands.parse({ install: ["kill -KILL $$"], test: [eat, "kill -KILL $$"] });
    await store.setups.change(access, repositoryId, commands, null);
    await store.repositories.putChecks(access, repositoryId, { ...checkSuiteDefaults, check_retry_count: 0 });
    const { id } = await create(sh("echo two > new.txt"), { repositoryId });
    assert.equal((await until(id, hasEnded)).status, "completed");
    const setup = JSON.stringify(await entries(id));
    assert.match(setup, /The setup command `kill -KILL \$\$` exited with 137 \(SIGKILL\)/);
    await store.pulls.request(access, id, options);
    const pulls = new PullRequests(pullPartsUnderTest(store, dataDir, () => new Date()));
    t.after(() => pulls.stop());
    pulls.start();
    await until(id, hasEnded);
    const found = (await entries(id)).find(({ message_type }) => message_type === "DETECT_PR_ERRORS");
    const [eaten, killed] = Object(found?.observation).checks;
    assert.match(eaten.excerpt, /The command was stopped: it used \d+ MB of memory, more than 400 MB\.$/);
    assert.equal(killed.excerpt, "The command exited with 137 (SIGKILL).");
  });
}
