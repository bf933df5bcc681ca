// Tier: rest
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { hostLogin } from "#lib/host/code-host.fixture.ts";
import { openStore } from "#lib/store/sqlite/open-store.ts";
import { countOf } from "#lib/test-counts.fixture.ts";
import { openPulls, writes } from "./pulls.fixture.ts";

test("what a person who may write says on the run's pull request becomes its turn, and is pushed; what others say is ignored", async (t) => {
  const of = await openPulls(t);
  const { host, engine, fullName } = of;
  const conversations = of.listener();
  host.addPerson("ada", "write");
  host.addPerson("eve", "read");
  host.addPerson("bot", "write", { isBot: true });
  host.addPerson(hostLogin, "write");
  host.onPush = ({ after }) => {
    if (after !== null) host.setCheck(fullName, after, { name: "build", conclusion: "success" });
  };
  engine.start();
  const run = await of.start(writes("two"));
  await of.settle(run.id);
  await of.request(run.id);
  const { pull } = await of.settle(run.id);
  assert.equal(pull?.verdict, "green");
  const number = pull?.number ?? 0;

  const says = async (login: string, body: string, subject: "pull" | "issue" = "pull") => {
    await of.receive(host.commentEvent({ login, body, thread: { repository: fullName, subject, number } }));
    await conversations.processDue();
  };

  const asked = `@errand ${writes("three")}`;
  const many = countOf({ short: 5, long: 500 });
  for (let times = 0; times < many; times += 1) {
    await says("bot", asked);
    await says(hostLogin, asked);
    if (times < many / 5) await says("eve", asked);
  }
  const same = await of.find(run.id);
  assert.deepEqual([same.status, same.turns], ["completed", 1]);

  await says("ada", `@errand please\n${writes("three")}`);
  const ended = await of.settle(run.id, ({ status, turns }) => turns === 2 && status === "completed");
  assert.deepEqual([ended.pull?.verdict, ended.pull?.number], ["green", number], of.log.join("\n"));
  assert.equal(await host.git.read(fullName, `errand/run-${run.id}`, "a.txt"), "three");
  const kinds = (await of.entries(run.id)).map(({ message_type }) => message_type);
  assert.equal(kinds.filter((kind) => kind === "USER_GITHUB_ISSUE_COMMENT").length, 1);
  await conversations.processDue();
  const answers = host.comments.filter(({ author }) => author === hostLogin);
  assert.deepEqual(
    answers.map((answer) => answer.number),
    [number],
  );
  assert.equal(host.pullsOf(fullName).length, 1);

  // What is turned off stays off: the message is answered, and nothing is pushed.
  const pushed = await host.git.headOf(fullName, `errand/run-${run.id}`);
  await of.putSettings({ mode: "off" });
  await says("ada", `@errand please\n${writes("four")}`);
  await of.settle(run.id, ({ status, turns }) => turns === 3 && status === "completed");
  assert.equal(await host.git.headOf(fullName, `errand/run-${run.id}`), pushed);
  await of.putSettings({ mode: "manual" });
  await of.store.settings.change(of.access, { enablePrCreation: false });
  await says("ada", `@errand please\n${writes("five")}`);
  await of.settle(run.id, ({ status, turns }) => turns === 4 && status === "completed");
  assert.equal(await host.git.headOf(fullName, `errand/run-${run.id}`), pushed);
});

test("what the web process stores wakes the engine: no time passes, and the comment is a waiting turn", {
  timeout: 120_000,
}, async (t) => {
  const of = await openPulls(t);
  const { host, engine, fullName, store, dataDir } = of;
  host.addPerson("ada", "write");
  engine.start();
  const run = await of.start(writes("two"));
  await of.settle(run.id);
  await of.request(run.id);
  const { pull } = await of.settle(run.id);
  await engine.stop();

  // Without it, the engine looks for what is due once a second, by this clock.
  t.mock.timers.enable({ apis: ["Date"], now: Date.now() });
  let rounds = 0;
  const counted = { ...store, integrations: { ...store.integrations } };
  counted.integrations.listAnnouncing = () => {
    rounds += 1;
    return store.integrations.listAnnouncing();
  };
  let looks = 0;
  counted.version = () => {
    looks += 1;
    return store.version();
  };
  const until = async (isSo: () => boolean | Promise<boolean>) => {
    while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 5));
  };
  of.listener({ store: counted }).start();
  await until(() => looks > 2);
  assert.equal(rounds, 1, "nothing was stored, so nothing is looked for");
  const web = await openStore({ file: join(dataDir, "errand.db"), now: of.parts.now });
  t.after(() => web.close());
  const thread = { repository: fullName, subject: "pull", number: pull?.number ?? 0 } as const;
  const said = { login: "ada", body: `@errand please\n${writes("three")}`, thread };
  assert.equal(await of.receive(host.commentEvent(said), web), "kept");
  await until(async () => (await of.find(run.id)).queuedTurns === 1);
  const { status, turns } = await of.find(run.id);
  assert.deepEqual([status, turns], ["queued", 2]);
});
