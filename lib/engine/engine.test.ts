import assert from "node:assert/strict";
import { test } from "node:test";
import { hasEnded, openEngine, sh } from "./engine.fixture.ts";

test("a message sent to a live run is its next turn, in the same session", async (t) => {
  const { store, access, engine, create, entries, until } = await openEngine(t);
  const run = await create(sh("until [ -e go ]; do sleep 0.05; done"));
  engine.start();
  await until(run.id, ({ totalLogs }) => totalLogs > 0);
  await store.runs.addTurn(access, run.id, { prompt: sh("echo second turn"), images: [], model: null });
  await store.runs.addTurn(access, run.id, { prompt: sh("echo third turn"), images: [], model: null });
  const other = await create(sh(`touch ../${run.id}/go`));
  await until(other.id, hasEnded);
  const ended = await until(run.id, hasEnded);
  assert.deepEqual([ended.status, ended.turns], ["completed", 3]);
  const messages = (await entries(run.id)).filter(({ message_type }) => message_type === "USER_MESSAGE");
  assert.deepEqual(
    messages.map(({ tool_input }) => tool_input),
    [
      { turn: 1, session: "new" },
      { turn: 2, session: "resumed" },
      { turn: 3, session: "resumed" },
    ],
  );
});

test("no more runs are at work than the setting says, the oldest first", async (t) => {
  const { engine, create, until } = await openEngine(t, { concurrency: 1 });
  const first = await create(sh("echo one"));
  const second = await create(sh("echo two"));
  engine.start();
  const [one, two] = [await until(first.id, hasEnded), await until(second.id, hasEnded)];
  assert.ok((one.finishedAt ?? "") <= (two.startedAt ?? ""), `${one.finishedAt} ${two.startedAt}`);
});

test("a question that nobody answers in time counts as rejected", async (t) => {
  const limits = { startMs: 10_000, inactivityMs: 10_000, turnMs: 20_000, questionMs: 200, stopGraceMs: 2000 };
  const { engine, create, entries, until } = await openEngine(t, { limits });
  const run = await create(sh("touch never"), { permissionMode: "ask" });
  engine.start();
  const waiting = await until(run.id, ({ status, question }) => status === "waiting" && question !== null);
  assert.equal(
    waiting.question?.options.some(({ kind }) => kind === "allow_once"),
    true,
  );
  const ended = await until(run.id, hasEnded);
  assert.deepEqual([ended.status, ended.question], ["completed", null]);
  const action = (await entries(run.id)).find(({ message_type }) => message_type === "ACTION");
  assert.equal(JSON.stringify(action?.tool_output).includes('exit_code":0'), false);
});

test("stopping the engine ends a live run as interrupted, with an ERROR that says how to go on", async (t) => {
  const { engine, create, entries, until } = await openEngine(t);
  const run = await create(sh("sleep 600"));
  engine.start();
  await until(run.id, ({ totalLogs }) => totalLogs > 0);
  await engine.stop();
  const ended = await until(run.id, hasEnded);
  assert.equal(ended.status, "interrupted");
  const last = (await entries(run.id)).at(-1);
  assert.equal(last?.message_type, "ERROR");
  assert.match(JSON.stringify(last?.observation), /Resume the run/);
});

test("a run goes on when the machine wakes after longer than a lease", async (t) => {
  const real = Date.now;
  let aheadMs = 0;
  t.mock.method(Date, "now", () => real() + aheadMs);
  const { engine, create, until } = await openEngine(t, {}, { now: () => new Date(Date.now()) });
  const run = await create(sh("until [ -e go ]; do sleep 0.05; done"));
  engine.start();
  await until(run.id, ({ totalLogs }) => totalLogs > 0);
  aheadMs = 60_000;
  // The engine looks for lost leases many times before this ends.
  const other = await create(sh("sleep 2", `touch ../${run.id}/go`));
  assert.equal((await until(other.id, hasEnded)).status, "completed");
  assert.equal((await until(run.id, hasEnded)).status, "completed");
});

test("a run whose agent this engine does not know fails with the prompt and an ERROR in its log", async (t) => {
  const { engine, create, entries, until } = await openEngine(t);
  const run = await create("Do something", { agent: "unknown" });
  engine.start();
  assert.equal((await until(run.id, hasEnded)).status, "failed");
  const [message, error, ...more] = await entries(run.id);
  assert.deepEqual([message?.message_type, message?.observation], ["USER_MESSAGE", "Do something"]);
  assert.deepEqual(error?.observation, {
    code: "agent_unknown",
    message: 'There is no agent called "unknown". Known agents: steps.',
  });
  assert.deepEqual(more, []);
});

test("a file that git refuses costs a turn nothing else: the rest is in the diff, and an entry names it", async (t) => {
  const { store, access, engine, create, entries, until } = await openEngine(t);
  engine.start();
  const { id } = await create(
    sh("mkdir .GIT", "echo x > .GIT/config", "truncate -s 3G sparse.bin", "echo kept > kept.txt"),
  );
  assert.equal((await until(id, hasEnded)).status, "completed");
  const told = (await entries(id)).flatMap(({ observation }) => {
    const { code, message } = Object(observation);
    return code === "work_left_out" ? [message] : [];
  });
  assert.equal(told.length, 1);
  assert.match(told[0], /`\.GIT\/config` \(git rejects it\)/);
  assert.match(told[0], /`sparse\.bin` \(3,072 MB, too large\)/);
  assert.match(Buffer.from((await store.runs.findDiff(access, id)) ?? []).toString(), /\+kept/);
});

test("a repository that the agent makes is in the diff, and what no branch has is told in one entry", async (t) => {
  const { store, access, engine, create, entries, until } = await openEngine(t);
  engine.start();
  const who = "-c user.name=n -c user.email=e@x";
  const { id } = await create(
    sh(
      "mkdir app && cd app && git init -q && echo code > index.js && cd ..",
      "git init -q clone && git -C clone remote add origin https://localhost/x && echo x > clone/x",
      `echo a > f && git switch -qc other && git add f && git ${who} commit -qm o && git switch -q --orphan again`,
    ),
  );
  assert.equal((await until(id, hasEnded)).status, "completed");
  const told = (await entries(id)).flatMap(({ observation }) => {
    const { code, message } = Object(observation);
    return code === "work_left_out" ? [message] : [];
  });
  assert.deepEqual(told, [
    "Not in the branch, or not as it is in the checkout: `clone/` (a copy of another repository), `other` (a branch with commits of its own). All other changes were saved, apart from files that git ignores, and pipes and sockets. To keep this work, resume the run and ask the agent to put it on the run's branch, or to push it elsewhere. Otherwise it is deleted with the checkout.",
  ]);
  assert.match(Buffer.from((await store.runs.findDiff(access, id)) ?? []).toString(), /b\/app\/index\.js/);
});

test("work that is left out is told again only when it is other work, or again after it was gone", async (t) => {
  const { store, access, engine, create, entries, until } = await openEngine(t);
  engine.start();
  const clone = (name: string) =>
    `git init -q ${name} && git -C ${name} remote add origin https://localhost/x && echo x > ${name}/x`;
  const { id } = await create(sh(clone("one")));
  await until(id, hasEnded);
  const commit = "echo x >> s && git add s && git -c user.name=n -c user.email=e@x commit -qm c";
  const turns = ["echo b > b", clone("two"), "rm -rf one two", clone("one"), "cat missing"];
  turns.push(
    `git switch -qc side && ${commit} && git switch -q -`,
    `git switch -q side && ${commit} && git switch -q -`,
  );
  const told: [number, string[]][] = [];
  let before = 0;
  const note = async () => {
    const all = await entries(id);
    const codes = all.slice(before).filter(({ observation }) => Object(observation).code === "work_left_out");
    before = all.length;
    const names = codes.map(({ observation }) =>
      Object(observation)
        .message.match(/`\w+\/?`(?= \()/g)
        ?.join(" "),
    );
    told.push([(await store.runs.find(access, id))?.leftOut ?? 0, names]);
  };
  await note();
  for (const command of turns) {
    await store.runs.addTurn(access, id, { prompt: sh(command), images: [], model: null });
    await until(id, hasEnded);
    await note();
  }
  assert.deepEqual(told, [
    [1, ["`one/`"]],
    [1, []],
    [2, ["`one/` `two/`"]],
    [0, []],
    [1, ["`one/`"]],
    [1, []],
    [2, ["`one/` `side`"]],
    [2, ["`one/` `side`"]],
  ]);
});

test("a run with files that belong to Git LFS is completed and says that they are plain files", async (t) => {
  const { engine, create, entries, until } = await openEngine(t);
  engine.start();
  const { id } = await create(sh('echo "*.bin filter=lfs" > .gitattributes', "echo x > x.bin"));
  assert.equal((await until(id, hasEnded)).status, "completed");
  const told = (await entries(id)).flatMap(({ observation }) => {
    const { code, message } = Object(observation);
    return code === "lfs_not_used" ? [message] : [];
  });
  assert.equal(told.length, 1);
  assert.match(told[0], /`x\.bin`\. `git lfs migrate import --no-rewrite` turns/);
});
