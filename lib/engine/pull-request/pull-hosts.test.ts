// Tier: rest
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { SetupCommands } from "#lib/contract/repositories/setup.ts";
import { hostToken } from "#lib/host/code-host.fixture.ts";
import { GitRemote } from "#lib/workspace/git-remote.fixture.ts";
import { git, makeRepository, temporaryFolder } from "#lib/workspace/test-repository.ts";
import { PullRequests } from "./pull-requests.ts";
import { openPulls, writes } from "./pulls.fixture.ts";

for (const kind of ["gitlab", "forgejo"] as const) {
  test(`${kind}: two engines push, open, fix and end it together, and do nothing twice`, async (t) => {
    const of = await openPulls(t, kind);
    const { host, engine, fullName } = of;
    await of.putSettings({ mode: "automatic" });
    await of.putChecks({ custom_prompts: { build: writes("three") }, ignored_checks: ["flaky"] });
    let pushes = 0;
    host.onPush = ({ after }) => {
      pushes += 1;
      if (after === null) return;
      const conclusion = pushes === 1 ? "failure" : "success";
      host.setCheck(fullName, after, { name: "build", conclusion, log: "expected three\n" });
      host.setCheck(fullName, after, { name: "flaky", conclusion: "failure" });
    };
    const other = new PullRequests(of.parts);
    t.after(() => other.stop());
    engine.start();
    other.start();
    const run = await of.start(writes("two"));
    const ended = await of.settle(run.id);
    assert.deepEqual(
      [ended.status, ended.pull?.verdict, ended.pull?.rounds],
      ["completed", "green", 1],
      of.log.join("\n"),
    );
    assert.deepEqual(
      (await of.told(run.id)).map((one) => one.split(" ")[0]),
      [
        ...["COMMIT_EVALUATION", "INITIAL_PR_GENERATION", "DETECT_PR_ERRORS", "FIX_PR_ERRORS", "COMMIT_EVALUATION"],
        ...["DETECT_PR_ERRORS", "PR_EVALUATION"],
      ],
    );
    assert.deepEqual([host.pullsOf(fullName).length, pushes], [1, 2]);
    assert.ok(!JSON.stringify(await of.entries(run.id)).includes(hostToken));
  });
}

test("what was red before is not the agent's to fix; a merge meanwhile ends the work; no checks are no failure", async (t) => {
  const of = await openPulls(t);
  const { host, engine, fullName } = of;
  await of.putSettings({ mode: "automatic" });
  engine.start();
  const base = await host.git.headOf(fullName, "main");
  host.setCheck(fullName, base ?? "", { name: "build", conclusion: "failure" });
  host.onPush = ({ after }) => {
    if (after !== null) host.setCheck(fullName, after, { name: "build", conclusion: "failure" });
  };
  const first = await of.start(writes("two"));
  const red = await of.settle(first.id);
  assert.deepEqual([red.pull?.verdict, red.pull?.rounds, red.turns], ["red", 0, 1]);
  host.onPush = () => undefined;
  const second = await of.start(writes("three"));
  await of.settle(second.id, ({ pull }) => pull?.stage === "checking");
  const number = (await of.find(second.id)).pull?.number ?? 0;
  host.addPerson("ada", "write");
  await host.actOn(fullName, number, "merged", "ada");
  const merged = await of.settle(second.id);
  assert.deepEqual([merged.status, merged.pull?.verdict, merged.pull?.state], ["completed", "merged", "merged"]);
  const third = await of.start(writes("four"));
  const quiet = await of.settle(third.id);
  assert.deepEqual([quiet.pull?.verdict, quiet.pull?.state], ["no_checks", "open"], of.log.join("\n"));
});

test("the pushed commit is Errand's, and names the person who asked for it as its only co-author", async (t) => {
  const of = await openPulls(t);
  const { host, store, access, fullName } = of;
  await store.accounts.update(access.userId, {
    fullName: "Ada <eve@example.com>\nCo-authored-by: Eve",
    email: "ada@example.com",
  });
  of.engine.start();
  const run = await of.start(writes("two"));
  await of.settle(run.id);
  await of.request(run.id);
  await of.settle(run.id, ({ pull }) => pull?.stage === "checking");
  const shown = (format: string) =>
    git(host.git.folderOf(fullName) ?? "", "log", "-1", `--format=${format}`, `errand/run-${run.id}`);
  assert.equal(shown("%an <%ae> %cn <%ce>"), "Errand <errand@localhost> Errand <errand@localhost>");
  const author = "Ada eve@example.com Co-authored-by: Eve <ada@example.com>";
  assert.equal(shown("%(trailers:key=Co-authored-by,valueonly)"), author);
  assert.equal(shown("%(trailers)").trim(), `Co-authored-by: ${author}`);
});

test("unfit commits are not pushed, and the log says which line is at fault", async (t) => {
  const of = await openPulls(t);
  const { host, engine, fullName } = of;
  await of.putSettings({ mode: "automatic" });
  engine.start();
  const key = `ghp_${"a1B2c3D4e5".repeat(4)}`;
  const run = await of.start(writes(key));
  const ended = await of.settle(run.id);
  assert.deepEqual([ended.status, ended.pull?.verdict, ended.pull?.state], ["completed", "refused", "failed"]);
  assert.equal(await host.git.headOf(fullName, `errand/run-${run.id}`), null);
  const [weighed] = (await of.entries(run.id)).filter(({ message_type }) => message_type === "COMMIT_EVALUATION");
  const { verdict, findings } = Object(weighed?.observation);
  assert.deepEqual([verdict, findings[0].rule, findings[0].path, findings[0].line], ["refused", "secret", "a.txt", 1]);
  assert.ok(!JSON.stringify(weighed).includes(key));
});

test("a folder gets the branch on request, and no pull request; a host that is disconnected meanwhile is reported", async (t) => {
  const of = await openPulls(t);
  const { engine, store, access } = of;
  const folder = join(temporaryFolder(t), "source");
  makeRepository(folder);
  const named = { name: "plain", fullName: "plain", description: null, defaultBranch: "main" };
  const { repository } = await store.repositories.add(access, { ...named, source: folder });
  // As an older version stored it.
  await of.putSettings({ mode: "automatic" }, repository.id);
  engine.start();
  const run = await of.start(writes("two"), repository.id);
  await of.settle(run.id);
  assert.equal(git(folder, "branch", "--list", "errand/*"), "", "only on request");
  await of.request(run.id);
  const pushed = await of.settle(run.id);
  assert.deepEqual([pushed.status, pushed.pull?.state, pushed.pull?.verdict], ["completed", "pushed", "no_checks"]);
  assert.equal(git(folder, "show", `errand/run-${run.id}:a.txt`), "two");
  assert.deepEqual(await of.told(run.id), ["COMMIT_EVALUATION fit", "PR_EVALUATION no_checks"]);

  await of.putSettings({ mode: "automatic" });
  const other = await of.start(writes("three"));
  await of.settle(other.id, ({ pull }) => pull?.stage === "checking");
  await store.integrations.remove(access, "github");
  const ended = await of.settle(other.id);
  assert.deepEqual([ended.status, ended.pull?.verdict, ended.pull?.stage], ["completed", "no_checks", null]);
});

test("a plain remote gets the branch over http, without a credential; the repository's own commands are its checks, if it has any", async (t) => {
  const of = await openPulls(t);
  const { engine, store, access } = of;
  await store.integrations.remove(access, "github");
  const folder = temporaryFolder(t);
  const [source, bare] = [join(folder, "source"), join(folder, "bare.git")];
  makeRepository(source, { "a.txt": "one\n" });
  git(folder, "clone", "--quiet", "--bare", source, bare);
  const remote = await GitRemote.open(bare, null);
  t.after(() => remote.close());
  const named = { name: "app", fullName: "team/app", description: null, defaultBranch: "main" };
  const { repository } = await store.repositories.add(access, { ...named, source: remote.url });
  const branchOf = (runId: number) => `errand/run-${runId}`;
  engine.start();
  const first = await of.start(writes("two"), repository.id);
  await of.settle(first.id);
  assert.equal(git(bare, "branch", "--list", "errand/*"), "", "only on request");
  await of.request(first.id);
  const { status, pull } = await of.settle(first.id);
  assert.deepEqual([status, pull?.state, pull?.verdict, pull?.number], ["completed", "pushed", "no_checks", null]);
  assert.match(pull?.reason ?? "", /^errand\/run-\d+ is in .*team\/app\.git, which has no pull requests\.$/);
  assert.equal(git(bare, "show", `${branchOf(first.id)}:a.txt`), "two");
  assert.equal(git(bare, "rev-parse", branchOf(first.id)), pull?.headCommit);
  assert.deepEqual(await of.told(first.id), ["COMMIT_EVALUATION fit", "PR_EVALUATION no_checks"]);

  const command = "grep three a.txt";
  await store.setups.change(access, repository.id, SetupCommands.parse({ test: [command] }), null);
  await of.putSettings({ mode: "automatic" }, repository.id);
  await of.putChecks({ custom_prompts: { [command]: writes("three") } }, repository.id);
  const second = await of.start(writes("two"), repository.id);
  const ended = await of.settle(second.id);
  assert.deepEqual(
    [ended.status, ended.pull?.state, ended.pull?.verdict, ended.pull?.rounds],
    ["completed", "pushed", "green", 1],
    of.log.join("\n"),
  );
  assert.deepEqual(await of.told(second.id), [
    "COMMIT_EVALUATION fit",
    "DETECT_PR_ERRORS 0",
    "FIX_PR_ERRORS 1",
    "COMMIT_EVALUATION fit",
    "DETECT_PR_ERRORS 1",
    "PR_EVALUATION green",
  ]);
  const detected = (await of.entries(second.id)).filter(({ message_type }) => message_type === "DETECT_PR_ERRORS");
  assert.deepEqual(
    detected.map(({ observation }) => [Object(observation).source, Object(observation).failing]),
    [
      ["local", [command]],
      ["local", []],
    ],
  );
  assert.equal(git(bare, "show", `${branchOf(second.id)}:a.txt`), "three");
  assert.equal(git(bare, "rev-parse", branchOf(second.id)), ended.pull?.headCommit);
  assert.deepEqual([...new Set(remote.authorizations)], [undefined], "no credential goes to it");
  assert.equal(git(bare, "show", "main:a.txt"), "one");
});
