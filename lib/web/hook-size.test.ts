import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { test } from "node:test";
import { hookBytesMax } from "#lib/contract/integrations/hook.ts";
import { hostHookSecret, type SentEvent } from "#lib/host/stand-in/signed-event.fixture.ts";
import { ConnectedHost } from "./connected-host.fixture.ts";
import { sendTo } from "./plain-request.fixture.ts";

test("an event of 25 MB is refused only for its signature; a byte more is 413, announced or not, and nothing of it is stored", async (t) => {
  const connected = await ConnectedHost.open("github");
  const { api, host, hookPath } = connected;
  const front = await api.serve();
  t.after(async () => {
    await front.close();
    await connected.close();
  });
  await connected.addRepository();
  host.addPerson("ada", "write");
  const { conversations } = api.store;

  /** An event with a field of its own that makes it that large; signed, unless with another secret. */
  const sized = (event: SentEvent, bytes: number, secret = hostHookSecret): SentEvent => {
    const bare = JSON.stringify({ ...JSON.parse(event.body), padding: "" });
    const body = bare.replace('"padding":""', `"padding":"${"x".repeat(bytes - Buffer.byteLength(bare))}"`);
    assert.equal(Buffer.byteLength(body), bytes);
    const signature = `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
    return { body, headers: { ...event.headers, "x-hub-signature-256": signature } };
  };
  const send = ({ headers, body }: SentEvent, more: Record<string, string>) =>
    sendTo(front.port, hookPath, { method: "POST", headers: { ...headers, ...more }, body });
  const announced = ({ body }: SentEvent) => ({ "content-length": String(Buffer.byteLength(body)) });
  const chunked = { "transfer-encoding": "chunked" };
  const event = host.commentEvent({ login: "ada", body: "@errand go" });

  const large = sized(event, hookBytesMax + 1);
  const refused = await send(large, chunked);
  assert.deepEqual([refused.status, JSON.parse(refused.text).code], [413, "body_too_large"]);
  // An announced one is refused before it is sent.
  const begun = httpRequest({
    ...{ host: "127.0.0.1", port: front.port, path: hookPath, method: "POST", agent: false },
    headers: { ...large.headers, ...announced(large) },
  });
  begun.on("error", () => undefined).flushHeaders();
  const [response] = await once(begun, "response");
  assert.equal(response.statusCode, 413);
  begun.destroy();
  assert.equal(await conversations.claimEvent(60_000), null);

  const forged = sized(event, hookBytesMax, "another secret");
  assert.equal((await send(forged, announced(forged))).status, 401);
  assert.equal(await conversations.claimEvent(60_000), null);
  const whole = sized(event, hookBytesMax);
  // Under the same delivery id: of the refused ones, not even that is known.
  for (const duplicate of [false, true]) {
    const { status, text } = await send(whole, duplicate ? chunked : announced(whole));
    assert.deepEqual([status, JSON.parse(text).duplicate], [duplicate ? 200 : 202, duplicate]);
  }
  await connected.conversations.processDue();
  assert.equal((await connected.runs()).length, 1);
});
