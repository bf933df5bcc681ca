import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { isEnd } from "#lib/contract/run-status.ts";
import { hostKindsUnderTest } from "#lib/host/stand-in/host-state.fixture.ts";
import { countOf } from "#lib/test-counts.fixture.ts";
import { openPulls, writes } from "./pulls.fixture.ts";

const program = join(import.meta.dirname, "pulls-under-test.ts");
const speed = 100;

/** Starts the work in a separate process, on a clock that runs a hundred times as fast. Resolves when it has begun. */
async function begin(t: TestContext, dataDir: string, epochMs: number): Promise<ChildProcess> {
  const child = spawn(process.execPath, [program, JSON.stringify({ dataDir, epochMs, speed })], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  t.after(() => child.kill("SIGKILL"));
  if (child.stdout !== null) await once(child.stdout, "data");
  return child;
}

for (const kind of hostKindsUnderTest) {
  test(`${kind}: killed at any moment: one pull request for each run, one review request, each round once, no work lost`, async (t) => {
    const of = await openPulls(t, kind);
    const { host, engine, fullName, store, access, dataDir, integration } = of;
    await of.putSettings({ mode: "automatic" });
    host.addPerson("ada", "write");
    await store.links.put(access, integration.id, "ada", access.userId);
    await of.putChecks({ custom_prompts: { build: writes("mended") } });
    const pushed = new Map<string, number>();
    host.onPush = ({ branch, after }) => {
      const count = (pushed.get(branch) ?? 0) + 1;
      pushed.set(branch, count);
      if (after === null) return;
      host.setCheck(fullName, after, {
        name: "build",
        conclusion: count === 1 ? "failure" : "success",
        log: "expected",
      });
    };
    engine.start();
    const epochMs = Date.now();
    const kills = countOf({ short: 2, long: 40 });
    let killed = 0;
    let runs = 0;
    while (killed < kills) {
      const run = await of.start(writes(`run ${runs}`));
      runs += 1;
      let child = await begin(t, dataDir, epochMs);
      for (;;) {
        // At a different moment of the work each time.
        await new Promise((resolve) => setTimeout(resolve, 20 + ((killed * 137) % 900)));
        const { status } = await of.find(run.id);
        if (isEnd(status)) break;
        if (killed >= kills || status !== "evaluating") continue;
        const gone = once(child, "exit");
        child.kill("SIGKILL");
        await gone;
        killed += 1;
        child = await begin(t, dataDir, epochMs);
      }
      const gone = once(child, "exit");
      child.kill("SIGKILL");
      await gone;
      const ended = await store.runs.find(access, run.id);
      assert.deepEqual([ended?.status, ended?.pull?.verdict, ended?.pull?.rounds], ["completed", "green", 1]);
      const branch = `errand/run-${run.id}`;
      const pulls = host.pullsOf(fullName).filter((pull) => pull.branch === branch);
      assert.deepEqual(
        pulls.map(({ reviewers }) => reviewers),
        [["ada"]],
      );
      assert.equal(await host.git.read(fullName, branch, "a.txt"), "mended");
      assert.equal(pushed.get(branch), 2);
      assert.deepEqual(
        (await of.told(run.id)).map((one) => one.split(" ")[0]),
        [
          ...["COMMIT_EVALUATION", "INITIAL_PR_GENERATION", "DETECT_PR_ERRORS", "FIX_PR_ERRORS", "COMMIT_EVALUATION"],
          ...["DETECT_PR_ERRORS", "PR_EVALUATION"],
        ],
      );
    }
  });
}
