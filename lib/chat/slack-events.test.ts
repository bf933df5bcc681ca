import assert from "node:assert/strict";
import { test } from "node:test";
import { readSlackEvent } from "./slack-events.ts";

const bodyOf = (text: string, bot: string | null = "UBOT") => {
  const event = { type: "app_mention", user: "U1", text, ts: "1.1", channel: "C1" };
  return readSlackEvent({ event }, bot)?.event.body;
};

test("only the bot's own mention is removed, and the rest is what the person typed", () => {
  assert.equal(bodyOf("<@U2> was right, <@UBOT> fix"), "@U2 was right,  fix");
  assert.equal(bodyOf("<@U2|bob> was right, <@UBOT|errand> fix"), "@bob was right,  fix");
  assert.equal(
    bodyOf("<@UBOT> ask <mailto:a@b.c|a@b.c> in <#C9|general> <!here> <!subteam^S1|@core> <!channel|channel>"),
    "ask a@b.c in #general @here @core @channel",
  );
  assert.equal(
    bodyOf("<@UBOT> call <tel:+491|+49 1>, see <https://e.x/?a=1&amp;b|e.x> &lt;b&gt;"),
    "call +49 1, see https://e.x/?a=1&b <b>",
  );
  assert.equal(bodyOf("<@UBOT> <@UBOT> twice"), "twice");
});

test("before the bot's id is known, the event's own word for it counts, and then the first mention", () => {
  const event = { type: "app_mention", user: "U1", text: "<@U2> and <@UBOT> go", ts: "1.1", channel: "C1" };
  assert.equal(readSlackEvent({ event, authorizations: [{ user_id: "UBOT" }] })?.event.body, "@U2 and  go");
  assert.equal(bodyOf("<@UBOT> go", null), "go");
});
