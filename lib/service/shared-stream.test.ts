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

test("a client that claims to have seen entries to come gets none after the range, and no progress beside it", async () => {
  const { run, lease } = await api.liveRun(3);
  const progress = (text: string) =>
    api.store.queue.setProgress(lease, { thought: "", text, tools: [], updated_at: new Date().toISOString() });
  const texts = (events: { event: string; data: unknown }[]) =>
    events
      .filter(({ event }) => event === "progress")
      .map(({ data }) => (data as { text: string } | null)?.text ?? null);
  const { token } = await share(api, run.id, { from_seq: 5, to_seq: 6 });

  // Entries 4 and 7 are not shared, and neither is what the agent writes while they are made.
  await progress("of entry 4");
  let step = 0;
  const streams = ["", "?after=5", "?after=6", "?after=134217727"].map((query) =>
    eventsOf(api, token, () => false, query),
  );
  const until = async (isDone: () => boolean) => {
    for (let waited = 0; !isDone() && waited < 5000; waited += 20) await new Promise((done) => setTimeout(done, 20));
  };
  const watching = eventsOf(api, token, (events) => {
    step = events.length;
    return false;
  });
  await until(() => step >= 1);
  await api.store.queue.append(lease, someEntries(1));
  await progress("of entry 5");
  await until(() => step >= 2);
  await api.store.queue.append(lease, someEntries(1));
  await until(() => step >= 3);
  await api.store.queue.append(lease, someEntries(2));
  await progress("of entry 8");
  const all = await Promise.all([...streams, watching]);
  const entries = all.map((events) => events.filter(({ event }) => event === "entry").map(({ id }) => id));
  assert.deepEqual(entries, [[5, 6], [6], [], [], [5, 6]]);
  for (const events of all) {
    assert.equal(events.at(-1)?.event, "end");
    assert.ok(
      texts(events).every((text) => text === null || text === "of entry 5"),
      JSON.stringify(texts(events)),
    );
  }
  assert.ok(texts(all[4] ?? []).includes("of entry 5"));
  await api.finish(lease);
});

test("a link whose part has not begun shows neither live work nor turns", async () => {
  const { run, lease } = await api.liveRun(2);
  const { token } = await share(api, run.id, { from_seq: 10 });
  await api.store.queue.setProgress(lease, {
    thought: "a plan",
    text: "a secret",
    tools: [{ id: "t", tool_name: "shell", title: "ls", tool_input: {}, output: "", started_at: run.createdAt }],
    updated_at: run.createdAt,
  });
  const events = eventsOf(api, token, ({ length }) => length >= 2);
  const timeline = (await read(api, token, "/logs/timeline")).json;
  assert.deepEqual(
    [timeline.total_logs, timeline.is_live, timeline.turns, timeline.waits, timeline.spans],
    [0, false, [], [], []],
  );
  await api.finish(lease);
  assert.deepEqual(
    (await events).map(({ event }) => event),
    ["run", "run"],
  );
});
