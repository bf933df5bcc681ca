// Tier: rest
import assert from "node:assert/strict";
import { renameSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { commitAll, git, makeRepository, temporaryFolder, writeFiles } from "#lib/workspace/test-repository.ts";
import { hasEnded, openEngine, sh } from "./engine.fixture.ts";

const as = "git -c user.name=n -c user.email=e@x";

/** An engine at work and a folder as its repository. */
async function opened(t: TestContext) {
  const source = join(temporaryFolder(t), "source");
  const first = makeRepository(source);
  const parts = await openEngine(t);
  const { store, access, engine, create, until } = parts;
  const named = { name: "app", fullName: "app", description: null, defaultBranch: "main" };
  const { repository } = await store.repositories.add(access, { ...named, source });
  engine.start();
  const run = async (...commands: string[]) => {
    const { id } = await create(sh(...commands), { repositoryId: repository.id });
    return until(id, hasEnded);
  };
  const resume = async (id: number, ...commands: string[]) => {
    await store.runs.addTurn(access, id, { prompt: sh(...commands), images: [], model: null });
    const ended = await until(id, hasEnded);
    return ended;
  };
  const give = (files: Record<string, string>) => {
    writeFiles(source, files);
    return commitAll(source, Object.keys(files).join());
  };
  const findRepository = () => store.repositories.find(access, repository.id);
  return { ...parts, source, first, repository, run, resume, give, findRepository };
}

for (const how of ["merge -q -m m origin/main", "merge -q -m m main", "rebase -q main"]) {
  test(`a resumed turn sees the source's branches of today: git ${how}`, async (t) => {
    const { first, run, resume, give, store, access } = await opened(t);
    const one = await run("echo own > own");
    assert.deepEqual([one.changes?.files, one.changes?.base_commit], [1, first]);
    const theirs = give({ theirs: "theirs\n" });
    const two = await resume(one.id, `${as} ${how}`, "cat theirs && echo more >> own");
    assert.deepEqual(
      [two.status, two.changes?.files, two.changes?.insertions, two.changes?.base_commit, two.changes?.compared_with],
      ["completed", 1, 2, theirs, "merge_base"],
    );
    const diff = Buffer.from((await store.runs.findDiff(access, one.id)) ?? []).toString();
    assert.doesNotMatch(diff, /theirs/);
  });
}

test("what an agent fetched by itself while it worked is not its work", async (t) => {
  const { source, run, resume } = await opened(t);
  const one = await run("echo own > own");
  const there = `git -C '${source}'`;
  const fetched = await resume(
    one.id,
    `echo theirs > '${source}/theirs' && ${there} add theirs && ${there} -c user.name=n -c user.email=e@x commit -qm theirs`,
    `git fetch -q '${source}' main && ${as} merge -q -m m FETCH_HEAD`,
  );
  assert.deepEqual([fetched.status, fetched.changes?.files], ["completed", 1]);
});

test("without the source a turn works with what was fetched before, and says so", async (t) => {
  const { source, run, resume, give, entries } = await opened(t);
  const one = await run("echo own > own");
  const theirs = give({ theirs: "theirs\n" });
  await run("echo other > other");
  renameSync(source, `${source}-gone`);
  const two = await resume(one.id, `${as} merge -q -m m origin/main`);
  assert.deepEqual([two.status, two.changes?.files, two.changes?.base_commit], ["completed", 1, theirs]);
  const told = (await entries(one.id)).map(({ message_type, tool_input }) => Object(tool_input).notice ?? message_type);
  assert.equal(told[told.lastIndexOf("USER_MESSAGE") + 1], "Repository not fetched", String(told));
});

test("a branch that is gone from the source is gone from the checkout; the agent's own branches stay", async (t) => {
  const { source, run, resume, entries } = await opened(t);
  git(source, "branch", "old");
  const one = await run("git rev-parse -q --verify origin/old && git branch mine && git pack-refs --all");
  assert.equal(one.status, "completed");
  git(source, "branch", "--delete", "old");
  const two = await resume(
    one.id,
    "git rev-parse -q --verify origin/old || echo $(echo is)-gone",
    "git rev-parse mine",
  );
  assert.equal(two.status, "completed");
  assert.match(JSON.stringify(await entries(two.id)), /is-gone/);
});

test("a renamed default branch is noticed by the next turn, and so is the first branch of an empty repository", async (t) => {
  const { source, run, resume, findRepository, store, access, create, until } = await opened(t);
  const one = await run("echo own > own");
  git(source, "branch", "--move", "trunk");
  await resume(one.id, "true");
  assert.equal((await findRepository())?.defaultBranch, "trunk");
  const empty = join(temporaryFolder(t), "empty");
  git(temporaryFolder(t), "init", "--quiet", "--initial-branch=first", empty);
  const named = { name: "empty", fullName: "empty", description: null, defaultBranch: null };
  const { repository } = await store.repositories.add(access, { ...named, source: empty });
  writeFiles(empty, { a: "a\n" });
  commitAll(empty, "first");
  const { id } = await create(sh("true"), { repositoryId: repository.id });
  const ended = await until(id, hasEnded);
  assert.equal(ended.baseBranch, "first");
  assert.equal((await store.repositories.find(access, repository.id))?.defaultBranch, "first");
});
