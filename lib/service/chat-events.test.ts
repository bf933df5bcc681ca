import assert from "node:assert/strict";
import { test } from "node:test";
import { listedAgent } from "#lib/contract/runs/agent.fixture.ts";
import { checkProblem } from "#lib/web/checked-answer.fixture.ts";
import { openChat, serviceToken } from "./connected-chat.fixture.ts";

const O = "/v1/organizations/1";

test("Slack: a person who is not linked is told how; a code links them once, and then a mention starts a run", async (t) => {
  const { api, chat, token, say, runs, endTurn, conversations, repositoryId } = await openChat(t, "slack");
  await say(chat.slackMention({ user: "U1", text: "fix the build" }));
  assert.match(chat.posted[0]?.text ?? "", /^I do not know who you are yet\./);
  assert.deepEqual(await runs(), []);
  const made = await api.ask("POST", `${O}/integrations/slack/link-code`, { token });
  assert.equal(made.json.say, `@errand link ${made.json.code}`);
  await say(chat.slackMention({ user: "U1", text: `link ${made.json.code}` }));
  assert.match(chat.posted[1]?.text ?? "", /^You are linked as Owner\./);
  await say(chat.slackMention({ user: "U2", text: `link ${made.json.code}` }));
  assert.match(chat.posted[2]?.text ?? "", /^This code is no longer valid\./);

  await say(chat.slackMention({ user: "U1", text: "fix &lt;this&gt; &amp; <https://x.example|that>", thread: "7.1" }));
  const [run] = await runs();
  assert.deepEqual([run?.sourceType, run?.repositoryId, run?.userId], ["SLACK", repositoryId, 1]);
  assert.match(run?.prompt ?? "", /^fix <this> & https:\/\/x\.example\n/);
  await endTurn("Done, <!channel> & see [it](https://y.example).");
  const answered = chat.posted[3];
  assert.deepEqual([answered?.channel, answered?.thread], ["C1", "7.1"]);
  assert.match(
    answered?.text ?? "",
    /^Done, &lt;!channel&gt; &amp; see <https:\/\/y\.example\|it>\.\n\n<http:\/\/errand\.test\/runs\/\d+\|Run>$/,
  );
  await say(chat.slackMention({ user: "U1", text: "and that", thread: "7.1" }));
  assert.deepEqual([(await runs()).length, (await runs())[0]?.turns], [1, 2]);
  assert.equal((await api.ask("POST", `${O}/agent/run/${run?.id}/cancel`, { token })).status, 200);
  await conversations.processDue();
  await conversations.processDue();
  assert.deepEqual([chat.posted.length, chat.posted[4]?.thread], [5, "7.1"]);
  assert.match(chat.posted[4]?.text ?? "", /^Someone cancelled the run before I started on this\./);
});

test("Slack: an answer is posted without the value of a stored key or of the service's environment, whatever its form", async (t) => {
  const { api, chat, token, say, endTurn } = await openChat(t, "slack");
  const value = "7Gk2pXv9QmTf5hJ3wB4cR6yL1zNaUsE8";
  assert.equal((await api.ask("PUT", `${O}/keys`, { token, body: { variable: "MODEL_API_KEY", value } })).status, 200);
  assert.equal(
    (await api.ask("PUT", `${O}/integrations/slack/links`, { token, body: { external_id: "U1", user_id: 1 } })).status,
    200,
  );
  await say(chat.slackMention({ user: "U1", text: "go" }));
  await endTurn(`It is ${value}, or ${serviceToken}, or ${Buffer.from(value).toString("base64")}.`);
  const texts = chat.posted.map(({ text }) => text).join("\n");
  assert.match(texts, /It is \[secret masked\], or \[secret masked\], or \[secret masked\]/);
  assert.ok(!texts.includes(value) && !texts.includes(serviceToken));
});

test("Slack: a viewer, a channel without a repository and a bot start nothing, and are told why", async (t) => {
  const { api, chat, token, say, runs } = await openChat(t, "slack");
  const viewer = await api.member("viewer");
  const link = (external_id: string, user_id: number) =>
    api.ask("PUT", `${O}/integrations/slack/links`, { token, body: { external_id, user_id } });
  assert.equal((await link("U1", viewer.userId)).status, 200);
  assert.equal((await link("U2", 1)).status, 200);
  checkProblem(await link("U3", 999_999), 400);
  await say(chat.slackMention({ user: "U1", text: "go" }));
  assert.match(chat.posted[0]?.text ?? "", /^Your role lets you read runs/);
  await say(chat.slackMention({ user: "U2", text: "go", channel: "C9" }));
  assert.match(chat.posted[1]?.text ?? "", /^Which repository is this about\? .*`C9`/);
  await api.store.agents.replaceAll([listedAgent("steps", { has_model: false, is_default: true })]);
  await say(chat.slackMention({ user: "U2", text: "go" }));
  assert.match(chat.posted[2]?.text ?? "", /^No agent with a model is ready, so nothing was started\./);
  await api.store.agents.replaceAll([]);
  await say(chat.slackMention({ user: "U2", text: "go", bot: true }));
  await say(chat.slackMention({ user: "U0BOT", text: "go" }));
  assert.deepEqual([chat.posted.length, (await runs()).length], [3, 0]);
  const listed = await api.ask("GET", `${O}/integrations/slack/links`, { token });
  assert.deepEqual((listed.json.items as { external_id: string }[]).map(({ external_id }) => external_id).sort(), [
    "U1",
    "U2",
  ]);
  api.changeRole(viewer.userId, "member");
  await say(chat.slackMention({ user: "U1", text: "go" }));
  assert.equal((await runs())[0]?.userId, viewer.userId);
  assert.equal((await api.ask("DELETE", `${O}/integrations/slack/links/U1`, { token })).status, 200);
  await say(chat.slackMention({ user: "U1", text: "go" }));
  assert.equal((await runs()).length, 1);
});

test("Slack: the challenge is given back, and a signature is good for five minutes", async (t) => {
  const { chat, send } = await openChat(t, "slack");
  const challenge = await send(chat.slackEvent({ type: "url_verification", challenge: "abc" }));
  assert.deepEqual([challenge.status, challenge.json.challenge], [200, "abc"]);
  for (const at of [Date.now() - 301_000, Date.now() + 302_000]) {
    checkProblem(await send(chat.slackMention({ user: "U1", text: "go", at })), 401);
  }
  const good = chat.slackMention({ user: "U1", text: "go" });
  const headers = { ...good.headers, "x-slack-request-timestamp": String(Math.floor(Date.now() / 1000) - 1) };
  checkProblem(await send({ ...good, headers }), 401);
  assert.equal((await send(good)).status, 202);
  assert.deepEqual((await send(good)).json, { accepted: false, duplicate: true });
});

test("Linear: a comment that mentions the service starts a run of its team's repository, answered in its thread once", async (t) => {
  const { api, chat, token, send, say, runs, endTurn, conversations, advance } = await openChat(t, "linear");
  await api.ask("PUT", `${O}/integrations/linear/links`, { token, body: { external_id: "person-1", user_id: 1 } });
  await say(chat.linearComment({ user: "person-1", body: "nothing for you" }));
  await say(chat.linearComment({ user: "U0BOT", body: "@errand loop" }));
  assert.deepEqual(await runs(), []);
  checkProblem(await send(chat.linearComment({ user: "person-1", body: "@errand", at: Date.now() - 61_000 })), 401);
  await say(chat.linearComment({ user: "person-1", body: "@errand fix it" }));
  const [run] = await runs();
  assert.equal(run?.sourceType, "LINEAR");
  assert.match(run?.prompt ?? "", /^fix it\n\n---\nSaid by person-1 on "It is broken"/);
  chat.lost = 1;
  await endTurn("Fixed.");
  advance(10_000);
  await conversations.processDue();
  assert.deepEqual(
    chat.posted.map(({ channel, text }) => [channel, text.split("\n")[0]]),
    [["issue-1", "Fixed."]],
  );
});

test("a channel is told of runs that wait or end, each moment once, except runs that were requested there", async (t) => {
  const settings = { channel: "C7", notify_finished: true, notify_waiting: true };
  const { api, chat, token, say, conversations, advance } = await openChat(t, "slack", settings);
  await conversations.processDue();
  advance(1000);
  const { run, lease } = await api.liveRun();
  await api.store.queue.setQuestion(lease, {
    id: "q1",
    title: "May I write <file>?",
    tool_name: "Bash",
    tool_input: { command: "rm *.ts *.js # __all__", run_as: "root" },
    kind: "execute",
    text: "# Plan\n\n1. `rm`\n\n    as it is",
    options: [{ id: "allow", name: "Allow", kind: "allow_once" }],
    asked_at: new Date().toISOString(),
    expires_at: new Date(Date.now() + 60_000).toISOString(),
  });
  await conversations.processDue();
  await conversations.processDue();
  assert.deepEqual(
    chat.posted.map(({ channel, text }) => [channel, text]),
    [
      [
        "C7",
        `<http://errand.test/runs/${run.id}|Run #${run.id}> is waiting for an answer: Look around\nMay I write &lt;file&gt;?\n\n\`\`\`\nrm *.ts *.js # __all__\n# Plan\n\n1. \`rm\`\n\n    as it is\nrun_as: root\n\`\`\``,
      ],
    ],
  );
  await api.store.queue.setQuestion(lease, null);
  await api.finish(lease);
  await conversations.processDue();
  await conversations.processDue();
  assert.match(chat.posted[1]?.text ?? "", /> completed: Look around\ndone$/);
  assert.equal(chat.posted.length, 2);
  await api.ask("PUT", `${O}/integrations/slack/links`, { token, body: { external_id: "U1", user_id: 1 } });
  await say(chat.slackMention({ user: "U1", text: "go" }));
  const claimed = await api.store.queue.claim("engine", 60_000);
  assert.ok(claimed !== null);
  await api.finish(claimed.lease);
  await conversations.processDue();
  assert.deepEqual(
    chat.posted.slice(2).map(({ channel }) => channel),
    ["C1"],
  );
});
