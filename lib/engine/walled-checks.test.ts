import assert from "node:assert/strict";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { checkSuiteDefaults } from "#lib/contract/check-suite.ts";
import { SetupCommands } from "#lib/contract/setup.ts";
import { agentKeyContext } from "#lib/secrets/agent-key-context.ts";
import { createSeal } from "#lib/secrets/seal.ts";
import { probeWall } from "#lib/workspace/wall-probe.ts";
import { hasEnded, sh } from "./engine.fixture.ts";
import { PullRequests } from "./pull-request/pull-requests.ts";
import { pullPartsUnderTest } from "./pull-request/pulls-parts.fixture.ts";
import { environment, walled } from "./walled.fixture.ts";

const { holds } = await probeWall({ dataDir: tmpdir(), env: environment, user: null, hidden: [] });
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
    assert.match(said, /token:$/);
  });
}
