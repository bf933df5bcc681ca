import assert from "node:assert/strict";
import { test } from "node:test";
import { openChat } from "./connected-chat.fixture.ts";

const O = "/v1/organizations/1";

/** What the integration's reason and the errors in a run's log say. */
async function told(connected: Awaited<ReturnType<typeof openChat>>, type: "slack" | "linear", runId: number) {
  const { api, token } = connected;
  const { json } = await api.ask("GET", `${O}/integrations`, { token });
  const all = json.integrations as { integration_type: string; active: boolean; metadata: { reason: string | null } }[];
  const shown = all.find(({ integration_type }) => integration_type === type);
  const logs = await api.ask("GET", `${O}/agent/run/${runId}/logs`, { token });
  const entries = logs.json.logs as { message_type: string; observation: { code: string; message: string } }[];
  const errors = entries.filter(({ message_type }) => message_type === "ERROR").map(({ observation }) => observation);
  return { active: shown?.active, reason: shown?.metadata.reason, errors: errors.map(({ message }) => message) };
}

for (const [type, refusal, shown] of [
  ["slack", "is_archived", "Slack refused: is_archived."],
  ["slack", "channel_not_found", "Slack refused: channel_not_found."],
  ["linear", "Entity not found: Issue", "Linear refused: Entity not found: Issue."],
] as const) {
  test(`${type}: a reply that is refused for good (${refusal}) ends at once, told in its run and at the integration`, async (t) => {
    const connected = await openChat(t, type);
    const { api, chat, say, endTurn, token, conversations, advance } = connected;
    const body = { external_id: "U1", user_id: 1 };
    await api.ask("PUT", `${O}/integrations/${type}/links`, { token, body });
    const ask = () =>
      type === "slack"
        ? chat.slackMention({ user: "U1", text: "go", thread: "7.1" })
        : chat.linearComment({ user: "U1", body: "@errand go" });
    await say(ask());
    const [run] = await connected.runs();
    const runId = run?.id ?? 0;
    chat.refusals.push(refusal);
    await endTurn("Done.");
    const place = type === "slack" ? "Channel C1" : "Issue issue-1";
    assert.deepEqual(await told(connected, type, runId), {
      active: true,
      reason: `${place}: A reply could not be written: ${shown}`,
      errors: [`The answer of turn 1 could not be written in ${type === "slack" ? "Slack" : "Linear"}: ${shown}`],
    });
    advance(86_400_000);
    await conversations.processDue();
    assert.deepEqual(chat.posted, [], "nothing is tried again");
    await say(ask());
    await endTurn("Done again.");
    const { reason, errors } = await told(connected, type, runId);
    assert.deepEqual([reason, errors.length, chat.posted.length], [null, 1, 1]);
  });
}

test("Slack: a reply waits for a service that is down, and a long one is written in pieces, each once", async (t) => {
  const connected = await openChat(t, "slack");
  const { api, chat, say, endTurn, token, conversations, advance } = connected;
  await api.ask("PUT", `${O}/integrations/slack/links`, { token, body: { external_id: "U1", user_id: 1 } });
  await say(chat.slackMention({ user: "U1", text: "go", thread: "7.1" }));
  chat.refusals.push("internal_error");
  const lines = Array.from({ length: 300 }, (_, index) => `This is line ${index} of a long answer.`);
  await endTurn(lines.join("\n\n"));
  assert.equal(chat.posted.length, 0);
  chat.lost = 1;
  advance(60_000);
  await conversations.processDue();
  advance(60_000);
  await conversations.processDue();
  const texts = chat.posted.map(({ text }) => text);
  assert.ok(texts.length > 2 && texts.every((text) => text.length <= 4000));
  assert.deepEqual(texts.join("\n\n").split("\n\n").slice(0, 300), lines);
  const runId = (await connected.runs())[0]?.id ?? 0;
  assert.deepEqual(await told(connected, "slack", runId), { active: true, reason: null, errors: [] });
  await say(chat.slackMention({ user: "U1", text: "go on", thread: "7.1" }));
  await endTurn("x".repeat(49_000));
  assert.match(chat.posted[texts.length]?.text ?? "", /^<http:\/\/errand\.test\/runs\/\d+\|Run>\n\nx/);
  assert.match(chat.posted.at(-1)?.text ?? "", /\n\n… The rest is in the run\.$/);
});

test("Slack: a token that was revoked ends the reply, and the integration is not active", async (t) => {
  const connected = await openChat(t, "slack");
  const { api, chat, say, endTurn, token } = connected;
  await api.ask("PUT", `${O}/integrations/slack/links`, { token, body: { external_id: "U1", user_id: 1 } });
  await say(chat.slackMention({ user: "U1", text: "go" }));
  chat.refusals.push("token_revoked");
  await endTurn("Done.");
  const { active, reason, errors } = await told(connected, "slack", (await connected.runs())[0]?.id ?? 0);
  assert.deepEqual([active, errors.length], [false, 1]);
  assert.equal(reason, "Slack does not accept the bot token (token_revoked).");
});

test("an announcement that its channel refuses is told in the run and at the integration", async (t) => {
  const settings = { channel: "C7", notify_finished: true };
  const connected = await openChat(t, "slack", settings);
  const { api, chat, token, conversations, repositoryId } = connected;
  const made = await api.ask("POST", `${O}/agent/run`, { token, body: { prompt: "Fix it", repo_id: repositoryId } });
  chat.refusals.push("not_in_channel");
  await connected.endTurn("Done.");
  await conversations.processDue();
  assert.deepEqual(await told(connected, "slack", Number(made.json.id)), {
    active: true,
    reason: "Channel C7: A reply could not be written: Slack refused: not_in_channel.",
    errors: ["A message about this run could not be written in Slack: Slack refused: not_in_channel."],
  });
});
