// Tier: rest
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { checkSuiteDefaults } from "#lib/contract/repositories/check-suite.ts";
import { SetupCommands } from "#lib/contract/repositories/setup.ts";
import { git, makeRepository, temporaryFolder } from "#lib/workspace/test-repository.ts";
import { probeWall } from "#lib/workspace/wall-probe.ts";
import { builtInAgents, hasEnded, openEngine, sh } from "./engine.fixture.ts";
import { PullRequests } from "./pull-request/pull-requests.ts";
import { pullPartsUnderTest } from "./pull-request/pulls-parts.fixture.ts";
import { outputOf } from "./run-setup.fixture.ts";
import { createRunWorkspace } from "./run-workspace.ts";
import { environment as ofWall, walled } from "./walled.fixture.ts";

/** An engine on the leash, whose data folder is inside a repository with uncommitted work, and a repository with setup commands. */
async function openInRepository(t: TestContext) {
  const outer = join(temporaryFolder(t), "outer");
  makeRepository(outer);
  writeFileSync(join(outer, "a.txt"), "of the operator\n");
  const dataDir = join(outer, "data");
  mkdirSync(dataDir);
  const environment = { PATH: process.env.PATH ?? "", EDITOR: "vi" };
  const workspace = createRunWorkspace({ dataDir, environment, sandbox: "process-group" });
  const opened = await openEngine(t, { workspace, profiles: builtInAgents }, { dataDir });
  const source = join(temporaryFolder(t), "source");
  makeRepository(source);
  const named = { name: "x", fullName: "o/x", description: null, source, defaultBranch: "main" };
  const { repository } = await opened.store.repositories.add(opened.access, named);
  opened.engine.start();
  const before = git(outer, "status", "--short") + git(outer, "log", "--format=%H");
  const isUntouched = () => assert.equal(git(outer, "status", "--short") + git(outer, "log", "--format=%H"), before);
  return { ...opened, repositoryId: repository.id, isUntouched };
}

test("on the leash, git in a checkout without .git does not find the repository around the data folder", async (t) => {
  const { create, until, entries, repositoryId, isUntouched } = await openInRepository(t);
  const commit = "git add -A && git -c user.name=n -c user.email=e@x commit -qm stolen";
  const { id } = await create(sh("rm -rf .git; echo new > new.txt; mkdir sub", `${commit} || cd sub; ${commit}`), {
    repositoryId,
  });
  await until(id, hasEnded);
  const all = await entries(id);
  assert.match(JSON.stringify(all), /not a git repository/);
  isUntouched();
});

test("neither do setup commands and a repository's own checks", async (t) => {
  const { create, until, entries, store, access, dataDir, repositoryId, isUntouched } = await openInRepository(t);
  const commands = SetupCommands.parse({
    install: ["mv .git away; git status 2>&1 | head -n 1 > found; mv away .git; cat found; rm found"],
    test: ["mv .git away; git status || true; mv away .git; exit 1"],
  });
  await store.setups.change(access, repositoryId, commands, null);
  await store.repositories.putChecks(access, repositoryId, { ...checkSuiteDefaults, check_retry_count: 0 });
  const { id } = await create(sh("echo two > new.txt"), { repositoryId });
  await until(id, hasEnded);
  const [install] = (await entries(id)).filter(({ message_type }) => message_type === "ACTION");
  assert.match(String(install && outputOf(install).output), /not a git repository/);
  await store.pulls.request(access, id, { title: null, body: null, draft: null, baseBranch: null });
  const pulls = new PullRequests(pullPartsUnderTest(store, dataDir, () => new Date()));
  t.after(() => pulls.stop());
  pulls.start();
  await until(id, hasEnded);
  const [found] = (await entries(id)).filter(({ message_type }) => message_type === "DETECT_PR_ERRORS");
  assert.match(String(Object(found?.observation).checks[0].excerpt), /not a git repository/);
  isUntouched();
});

const person = "git -c user.name=n -c user.email=e@x";
const editing = [
  `${person} commit --allow-empty`,
  `${person} rebase -i --root`,
  `${person} tag -a v1`,
  'sh -c "$EDITOR README"',
  'sh -c "$VISUAL README"',
];
// Like vim, which reads keys from its standard error if its input is no terminal.
const vim = "perl -e 'sysread(STDERR, my $key, 1) or print qq(no key\\n)'";
const editors = [
  vim,
  ...editing.map((command) => `! ${command}`),
  "git rev-parse -q --verify v1 || echo no tag",
  "[ $(git rev-list --count HEAD) = 1 ]",
  `EDITOR= GIT_EDITOR='sh -c "echo a message > \\$1" sh' ${person} commit --allow-empty`,
  "git log --format=%s -n 1; git --paginate log --format=%s -n 1",
].join("\n");

function judgeEditors(output: unknown) {
  const said = String(output);
  assert.equal(said.split("No editor can be opened").length - 1 >= editing.length, true, said);
  assert.match(said, /^no key\n/);
  assert.match(said, /no tag/);
  assert.match(said, /a message\na message\n$/);
}

test("an editor fails at once with a sentence, in steps and setup commands; one that a command names works", async (t) => {
  const { create, until, entries, store, access, repositoryId } = await openInRepository(t);
  await store.setups.change(access, repositoryId, SetupCommands.parse({ install: [editors] }), null);
  const { id } = await create(sh(`git reset -q --hard HEAD~1\n${editors}`), { repositoryId });
  await until(id, hasEnded);
  const actions = (await entries(id)).filter(({ message_type }) => message_type === "ACTION");
  assert.equal(actions.length, 2);
  for (const action of actions) judgeEditors(outputOf(action).output);
});

const { holds } = await probeWall({ dataDir: tmpdir(), env: ofWall, user: null, hidden: [] });
if (holds) {
  test("an editor fails at once with a sentence behind the wall too", async (t) => {
    const { create, until, entries, repositoryId } = await walled(t, ofWall.PATH);
    const { id } = await create(sh(editors), { repositoryId });
    await until(id, hasEnded);
    const action = (await entries(id)).findLast(({ message_type }) => message_type === "ACTION");
    judgeEditors(action && outputOf(action).output);
  });
}
