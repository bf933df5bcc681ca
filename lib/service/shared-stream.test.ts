import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { mintShare } from "#lib/auth/share-secret.ts";
import { ApiUnderTest, someEntries } from "#lib/web/api-under-test.ts";
import { eventsOf, O, read, share } from "#lib/web/shared-run.fixture.ts";

let api: ApiUnderTest;
before(async () => {
  api = await ApiUnderTest.open();
});
after(() => api.close());

test("a link with an open end follows the run, and the stream ends at the last entry of a range while the run continues", async () => {
  const { run, lease } = await api.liveRun(3);
  const [open, closed] = [await share(api, run.id, { from_seq: 2 }), await share(api, run.id, { to_seq: 4 })];
  const count = async (token: string) => (await read(api, token)).json.total_logs;
  assert.deepEqual([await count(open.token), await count(closed.token)], [2, 3]);
  const following = eventsOf(api, closed.token, () => false);
  await api.store.queue.append(lease, someEntries(3));
  const events = await following;
  assert.deepEqual(
    events.filter(({ event }) => event === "entry").map(({ id }) => id),
    [1, 2, 3, 4],
  );
  assert.equal(events.at(-1)?.event, "end");
  assert.deepEqual([await count(open.token), await count(closed.token)], [5, 4]);
  assert.equal((await read(api, closed.token)).json.status, "completed");
  assert.equal((await read(api, open.token)).json.status, "running");
  const again = await eventsOf(api, closed.token, () => false, "?after=4");
  assert.deepEqual(
    again.map(({ event }) => event),
    ["run", "end"],
  );
  await api.finish(lease);
});

test("an open stream is cut off when its link is revoked", async () => {
  const { run, lease } = await api.liveRun(1);
  const { id, token } = await share(api, run.id);
  let revoked = false;
  const events = await eventsOf(api, token, ({ length }) => {
    if (length >= 2 && !revoked) {
      revoked = true;
      void api.token().then((owner) => api.ask("DELETE", `${O}/shares/${id}`, { token: owner }));
    }
    return false;
  });
  assert.ok(revoked && events.every(({ event }) => event !== "end"));
  await api.finish(lease);
});

test("an open stream is cut off when its link expires", async () => {
  const { run, lease } = await api.liveRun(1);
  const { secret: token, hash, hint } = mintShare();
  const expiresAt = new Date(Date.now() + 500).toISOString();
  const whole = { runId: run.id, fromSeq: 1, toSeq: null, showsOutputs: true, expiresAt };
  await api.store.shares.create(api.home, { ...whole, hash, hint });
  const events = await eventsOf(api, token, () => false);
  assert.deepEqual(
    events.map(({ event }) => event),
    ["run", "entry"],
  );
  await api.finish(lease);
});
