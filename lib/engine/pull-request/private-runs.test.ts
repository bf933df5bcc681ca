import assert from "node:assert/strict";
import { test } from "node:test";
import { hostToken } from "#lib/host/code-host.fixture.ts";
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
    /cannot be read with the integration's credential\. Enter a new one under Integrations/,
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
