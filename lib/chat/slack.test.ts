import assert from "node:assert/strict";
import { test } from "node:test";
import { allowedOf } from "#lib/outbound/allowed.fixture.ts";
import { createOutbound } from "#lib/outbound/outbound.ts";
import { ChatServer, chatToken } from "./chat.fixture.ts";
import { openSlack } from "./slack.ts";

test("a message is found below many older ones, in a thread and in a channel", async (t) => {
  const chat = await ChatServer.open();
  t.after(() => chat.close());
  const { send } = createOutbound(allowedOf("127.0.0.0/8"));
  const slack = openSlack({ baseUrl: chat.baseUrl, token: chatToken, send });
  const signal = AbortSignal.timeout(10_000);
  for (const threadTs of ["1.1", null]) {
    const place = { channel: `C${threadTs}`, threadTs };
    const other = { channel: place.channel, thread: threadTs, text: "What about this?", key: "" };
    for (let count = 0; count < 250; count++) chat.posted.push({ ...other, ts: `${count}.1` });
    const ts = await slack.post(place, "Done.", "a-key", signal);
    assert.equal(await slack.find(place, "a-key", new Date(0), signal), ts);
    assert.equal(await slack.find(place, "another-key", new Date(0), signal), null);
  }
});
