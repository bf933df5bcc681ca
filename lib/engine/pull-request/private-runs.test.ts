// Tier: rest
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { sh } from "#lib/engine/engine.fixture.ts";
import { hostToken } from "#lib/host/code-host.fixture.ts";
import { commandLines } from "#lib/workspace/git-remote.fixture.ts";
import { holdsText } from "#lib/workspace/holds-text.ts";
import { openPulls, writes } from "./pulls.fixture.ts";

test("runs of a private repository read it with the integration's token, which is found nowhere afterwards", async (t) => {
  const of = await openPulls(t);
  const { engine, store, access, dataDir } = of;
  engine.start();
  const first = await of.start(writes("two"));
  assert.equal((await of.settle(first.id)).status, "completed");
  const pair = Buffer.from(`x-access-token:${hostToken}`).toString("base64");
  const env = { PATH: process.env.PATH ?? "" };
  assert.equal(await holdsText(dataDir, [hostToken, pair], { env, signal: t.signal }), false);

  /** Starts a run that fails, and returns the message of its error. */
  const failureNow = async () => {
    const run = await of.start(writes("three"));
    assert.equal((await of.settle(run.id)).status, "failed");
    const [error] = (await of.entries(run.id)).filter(({ message_type }) => message_type === "ERROR");
    assert.equal(Object(error?.observation).code, "repository_unavailable");
    return String(Object(error?.observation).message);
  };
  await of.connect("rotated-away");
  assert.match(
    await failureNow(),
    /with the integration's credential, which is not accepted or lacks permission\. Enter a new token under Integrations/,
  );
  await of.connect(hostToken);
  const again = await of.start(writes("three"));
  assert.equal((await of.settle(again.id)).status, "completed", "a new token counts at once");
  await store.integrations.remove(access, "github");
  assert.match(await failureNow(), /without a credential\. Connect its code host under Integrations\./);
  await store.runs.addTurn(access, again.id, { prompt: writes("four"), images: [], model: null });
  const resumed = await of.settle(again.id, ({ turns, status }) => turns === 2 && status === "completed");
  assert.equal(resumed.turns, 2, "a run that has its checkout needs the host no more");
});

test("in all that a pull request needs, the credential is in no entry, log line, command line or file, and not with the agent", async (t) => {
  const of = await openPulls(t);
  const { host, engine, store, access, dataDir, fullName, logged } = of;
  const seen = new Set<string>();
  host.onRequest = () => {
    for (const line of commandLines()) seen.add(line);
  };
  /** A prompt that shows and keeps everything the agent is given, and changes the file. */
  const looksAround = (text: string) =>
    sh(
      `env | tee -a "${dataDir}/of-agent"; git config --list --show-origin | tee -a "${dataDir}/of-agent"; cat .git/config`,
      `tr '\\0' '\\n' < /proc/$PPID/environ | tee -a "${dataDir}/of-agent"; echo ${text} > a.txt`,
    );
  host.addPerson("ada", "write");
  await of.putSettings({ mode: "automatic" });
  await of.putChecks({ custom_prompts: { build: looksAround("three") } });
  let pushes = 0;
  host.onPush = ({ after }) => {
    pushes += 1;
    const conclusion = pushes === 1 ? "failure" : "success";
    if (after !== null) host.setCheck(fullName, after, { name: "build", conclusion, log: "expected three\n" });
  };
  engine.start();
  const run = await of.start(looksAround("two"));
  host.faults.push(500, "lost");
  const { pull } = await of.settle(run.id);
  assert.deepEqual([pull?.verdict, pull?.rounds], ["green", 1], of.log.join("\n"));
  const thread = { repository: fullName, subject: "pull", number: pull?.number ?? 0 } as const;
  await of.receive(host.commentEvent({ login: "ada", body: `@errand please\n${looksAround("four")}`, thread }));
  const conversations = of.listener();
  await conversations.processDue();
  await of.settle(run.id, ({ turns, status }) => turns === 3 && status === "completed");
  await conversations.processDue();
  assert.equal(host.comments.length, 1);
  // What goes wrong says more than what goes well.
  host.protect(fullName, { refusal: `No ${hostToken} here` });
  const refused = await of.start(looksAround("five"));
  assert.equal((await of.settle(refused.id)).pull?.state, "failed");
  host.protect(fullName, {});
  host.faults.push(...Array.from({ length: 20 }, () => 401));
  const unauthorized = await of.start(looksAround("six"));
  assert.notEqual((await of.settle(unauthorized.id)).pull?.verdict, "green");
  await engine.stop();

  const pair = `x-access-token:${hostToken}`;
  const secrets = [hostToken, ...[hostToken, pair].map((text) => Buffer.from(text).toString("base64"))];
  const ids = [run.id, refused.id, unauthorized.id];
  const diffOf = async (id: number) => (await store.runs.findDiff(access, id)) ?? Buffer.alloc(0);
  const places: Record<string, string> = {
    entries: JSON.stringify(await Promise.all(ids.map(of.entries))),
    runs: JSON.stringify(await Promise.all(ids.map(of.find))),
    diffs: Buffer.concat(await Promise.all(ids.map(diffOf))).toString(),
    "log lines": logged.join("\n"),
    "command lines": [...seen].join("\n"),
    "the host's pages": JSON.stringify([host.pullsOf(fullName), host.comments]),
    "the agent's environment": readFileSync(join(dataDir, "of-agent"), "utf8"),
  };
  // Each place has what it is searched for.
  assert.match(places.entries ?? "", /PATH=.*PR_EVALUATION/s);
  for (const level of ["info", "warn"]) assert.match(places["log lines"] ?? "", new RegExp(`^${level} `, "m"));
  assert.match(places.diffs ?? "", /^\+six$/m);
  assert.match(places["command lines"] ?? "", /git.*push/);
  assert.equal((places["the agent's environment"] ?? "").match(/^PATH=/gm)?.length, 2 * 5);
  for (const [place, text] of Object.entries(places)) {
    for (const secret of secrets) assert.ok(!text.includes(secret), `${place} holds ${secret}`);
  }
  const env = { PATH: process.env.PATH ?? "" };
  assert.equal(await holdsText(dataDir, ["errand/run-1"], { env, signal: t.signal }), true);
  assert.equal(await holdsText(dataDir, secrets, { env, signal: t.signal }), false);
});
