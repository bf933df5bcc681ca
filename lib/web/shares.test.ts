import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { mintShare } from "#lib/auth/share-secret.ts";
import type { NewEntry } from "#lib/contract/entry.ts";
import { secretMask } from "#lib/service/mask-secrets.ts";
import { dispatchOver } from "./api.ts";
import { type Answered, ApiUnderTest, someEntries } from "./api-under-test.ts";

let api: ApiUnderTest;
before(async () => {
  api = await ApiUnderTest.open();
});
after(() => api.close());

const O = "/v1/organizations/1";
// Put together so that no scanner of this repository takes it for real.
const secret = `ghp_${"9fK2mQ7xT4vB8nL1cW6zR3yH5jD0pSabc123"}`;
const blank = { thought: null, tool_name: null, tool_input: null, tool_output: null, observation: null };
const at = "2026-01-31T23:59:59.000Z";

const ran = (output: string, command = "cat notes"): NewEntry => ({
  ...blank,
  created_at: at,
  message_type: "ACTION",
  tool_name: "shell",
  tool_input: { command },
  tool_output: { status: "completed", exit_code: 0, output, duration_ms: 12 },
});
const said = (observation: string): NewEntry => ({
  ...blank,
  created_at: at,
  message_type: "USER_MESSAGE",
  observation,
});

async function endedRun(entries: NewEntry[] | number): Promise<number> {
  const { run, lease } = await api.liveRun(entries);
  await api.finish(lease);
  return run.id;
}

async function share(runId: number, body: object = {}): Promise<{ id: number; token: string; url: string }> {
  const made = await api.ask("POST", `${O}/agent/run/${runId}/shares`, { token: await api.token(), body });
  assert.equal(made.status, 200, made.text);
  return made.json as { id: number; token: string; url: string };
}

const read = (token: string, path = "") => api.ask("GET", `/v1/shares/${token}${path}`);
const logsOf = (answered: Answered) => answered.json.logs as { seq: number; [field: string]: unknown }[];

test("whoever has the link reads the run without signing in, and nobody learns more of it than it shows", async () => {
  const { run, lease } = await api.liveRun([said("Go"), ran("the answer"), said("Done")]);
  await api.store.queue.setFigures(lease, { branch: "errand/1", costUsd: 2 });
  await api.finish(lease);
  const { token, url } = await share(run.id, { outputs: true });
  assert.match(token, /^[0-9A-Za-z]{32}$/);
  assert.equal(url, `http://errand.test/share/${token}`);
  const shown = await read(token);
  assert.equal(shown.status, 200, shown.text);
  const { share: facts, ...rest } = shown.json;
  assert.deepEqual(
    [rest.id, rest.total_logs, rest.prompt, rest.status, rest.branch, rest.web_url, rest.result],
    [run.id, 3, "Look around", "completed", "errand/1", url, "done"],
  );
  for (const hidden of ["repo_id", "repo_full_name", "user_id", "user_name", "question", "changes"]) {
    assert.equal(rest[hidden], null, hidden);
  }
  assert.deepEqual([rest.metadata, rest.organization_id], [{}, 0]);
  assert.deepEqual((facts as { shared_by: string }).shared_by, "Owner");
  const logs = logsOf(await read(token, "/logs?limit=2&skip=1"));
  assert.deepEqual(
    logs.map(({ seq }) => seq),
    [2, 3],
  );
  assert.equal((await read(token, "/logs/2")).json.agent_run_id, run.id);
  assert.deepEqual(
    logsOf(await read(token, "/logs?reverse=true&limit=2")).map(({ seq }) => seq),
    [3, 2],
  );
});

test("links that do not work look the same: unknown, expired, revoked, malformed, on every path", async () => {
  const runId = await endedRun(2);
  const [working, revoked] = [await share(runId), await share(runId)];
  const expired = mintShare();
  const ended = new Date(Date.now() - 1).toISOString();
  const whole = { runId, fromSeq: 1, toSeq: null, showsOutputs: true, expiresAt: ended };
  await api.store.shares.create(api.home, { ...whole, hint: expired.hint, hash: expired.hash });
  const owner = { token: await api.token() };
  assert.equal((await api.ask("DELETE", `${O}/shares/${revoked.id}`, owner)).status, 200);
  const tokens = ["A".repeat(32), revoked.token, expired.secret, "x", "%00", "..%2f..", "errand_abc"];
  const bodies = new Set<string>();
  const look = async (token: string, path: string) => {
    const answered = await read(token, path);
    assert.equal(answered.status, 404, answered.text);
    assert.equal(answered.headers.get("cache-control"), "no-store");
    assert.equal(answered.headers.get("x-robots-tag"), "noindex, nofollow");
    assert.equal(answered.headers.get("referrer-policy"), "no-referrer");
    const { request_id, instance, ...body } = answered.json;
    bodies.add(JSON.stringify(body));
  };
  const paths = [
    "",
    "/logs",
    "/logs/1",
    "/logs/stream",
    "/logs/outline",
    "/logs/search?q=a",
    "/logs/timeline",
    "/logs/tools",
    "/logs/position?seq=1",
  ];
  for (const path of paths) for (const token of tokens) await look(token, path);
  assert.equal(bodies.size, 1, [...bodies].join("\n"));
  assert.equal((await read(working.token)).status, 200);
});

test("answers are kept by nobody, listed by no robot, and their address is told to nobody", async () => {
  const { token } = await share(await endedRun(2));
  for (const path of [
    "",
    "/logs",
    "/logs/1",
    "/logs/stream",
    "/logs/outline",
    "/logs/search?q=thought",
    "/logs/timeline",
  ]) {
    const { headers, status, text } = await read(token, path);
    assert.equal(status, 200, text);
    assert.match(headers.get("cache-control") ?? "", /^no-store/);
    assert.equal(headers.get("x-robots-tag"), "noindex, nofollow");
    assert.equal(headers.get("referrer-policy"), "no-referrer");
    assert.equal(headers.get("etag"), null);
    assert.equal(headers.get("set-cookie"), null);
  }
});

test("hidden outputs are in no answer, and are not found by a search", async () => {
  const failure = { code: "tool_failed", message: "It gave up", data: { trace: "hush" } };
  const runId = await endedRun([
    said("Go"),
    { ...ran("hush"), observation: "hush" },
    { ...blank, created_at: at, message_type: "ERROR", observation: failure },
  ]);
  const hidden = await share(runId);
  const open = await share(runId, { outputs: true });
  for (const path of ["", "/logs", "/logs?clip=10", "/logs/2", "/logs/3", "/logs/stream", "/logs/search?q=hus"]) {
    assert.ok(!(await read(hidden.token, path)).text.includes("hush"), path);
    if (path !== "") assert.ok((await read(open.token, path)).text.includes("hush"), path);
  }
  const [, action, error] = logsOf(await read(hidden.token, "/logs"));
  assert.deepEqual(action?.tool_output, { status: "completed", exit_code: 0, duration_ms: 12 });
  assert.deepEqual(action?.tool_input, { command: "cat notes" });
  assert.deepEqual(error?.observation, { code: "tool_failed", message: "It gave up" });
  const found = await read(hidden.token, "/logs/search?q=hush&buckets=3");
  assert.deepEqual(
    [found.json.matching_logs, found.json.matches, found.json.complete, found.json.buckets],
    [0, 0, true, [0, 0, 0]],
  );
  assert.equal((await read(open.token, "/logs/search?q=hush")).json.matching_logs, 2);
  assert.equal((await read(hidden.token, "/logs?q=hush")).json.matching_logs, 0);
  assert.deepEqual((await read(hidden.token, "/logs/position?seq=1&q=hush")).json.seq, null);
  assert.deepEqual((await read(hidden.token, "/logs/tools")).json.items, [{ tool_name: "shell", count: 1 }]);
});

test("secrets are masked in every field and every answer, and no search finds them", async () => {
  const prompt = `Use ${secret} please`;
  const run = await api.run({ prompt });
  const claimed = await api.store.queue.claim("engine", 60_000);
  assert.ok(claimed !== null && claimed.run.id === run.id);
  await api.store.queue.append(claimed.lease, [
    said(secret),
    { ...ran(`before ${secret} after`, `curl -H "Authorization: Bearer ${secret}"`), thought: `I have ${secret}` },
    {
      ...ran(`${"x".repeat(99)} ${secret}`),
      tool_name: secret,
      tool_input: { [secret]: 1, deep: [{ password: "hunter2" }] },
    },
  ]);
  await api.store.queue.setProgress(claimed.lease, {
    thought: secret,
    text: secret,
    tools: [{ id: "t", tool_name: "shell", title: secret, tool_input: { a: secret }, output: secret, started_at: at }],
    updated_at: at,
  });
  const { token } = await share(run.id, { outputs: true });
  const streamed = await eventsOf(token, (events) => events.some(({ event }) => event === "progress"));
  assert.ok(JSON.stringify(streamed).includes(secretMask));
  const texts = [JSON.stringify(streamed)];
  await api.store.queue.finishTurn(claimed.lease, {
    status: "completed",
    result: `It is ${secret}`,
    summary: secret,
    entries: [],
  });
  const paths = [
    "",
    "/logs",
    "/logs?clip=110",
    "/logs/1",
    "/logs/2",
    "/logs/3",
    "/logs/stream",
    "/logs/timeline",
    "/logs/tools",
  ];
  for (const path of paths) texts.push((await read(token, path)).text);
  texts.push((await read(token, "/logs/search?q=before")).text);
  for (const text of texts) {
    assert.ok(!text.includes("ghp_") && !text.includes("hunter2"), text);
  }
  const search = async (q: string) => (await read(token, `/logs/search?q=${q}`)).json.matching_logs;
  assert.deepEqual([await search(secret), await search("ghp_"), await search("before")], [0, 0, 1]);
});

test("of a range only the range is told: entries, counts, outline, hits, times, prompt and end", async () => {
  const runId = await endedRun(someEntries(20, (index) => (index % 2 === 0 ? "even" : "odd")));
  const { token } = await share(runId, { from_seq: 5, to_seq: 9 });
  const run = await read(token);
  assert.deepEqual(
    [run.json.total_logs, run.json.prompt, run.json.result, run.json.finished_at, run.json.turns],
    [5, "Part of a run", null, null, 1],
  );
  const page = await read(token, "/logs?limit=3&skip=3");
  assert.deepEqual(
    logsOf(page).map(({ seq }) => seq),
    [8, 9],
  );
  assert.deepEqual([page.json.total_logs, page.json.pages], [5, 2]);
  for (const seq of [1, 4, 10, 20]) assert.equal((await read(token, `/logs/${seq}`)).status, 404);
  const outline = (await read(token, "/logs/outline?buckets=2&from_seq=1&to_seq=20")).json;
  assert.equal(outline.total_logs, 5);
  assert.deepEqual(
    (outline.buckets as { from_seq: number; to_seq: number }[]).map((part) => [part.from_seq, part.to_seq]),
    [
      [5, 6],
      [7, 9],
    ],
  );
  const found = (await read(token, "/logs/search?q=even&buckets=5")).json;
  assert.deepEqual(
    [found.total_logs, found.searched_logs, found.indexed_logs, found.matching_logs, found.matches, found.buckets],
    [5, 5, 5, 3, 3, [1, 0, 1, 0, 1]],
  );
  assert.deepEqual(
    (found.hits as { seq: number }[]).map(({ seq }) => seq),
    [5, 7, 9],
  );
  const around = (await read(token, "/logs/search?q=even&around_seq=6&limit=1")).json;
  assert.deepEqual([around.skip, (around.hits as { seq: number }[])[0]?.seq], [1, 7]);
  const filtered = (await read(token, "/logs?q=even&limit=2")).json;
  assert.deepEqual([filtered.total_logs, filtered.matching_logs, filtered.pages], [5, 3, 2]);
  assert.deepEqual(
    (filtered.logs as { seq: number }[]).map(({ seq }) => seq),
    [5, 7],
  );
  const position = async (query: string) => (await read(token, `/logs/position?${query}`)).json;
  assert.deepEqual(await position("seq=7"), { skip: 2, seq: 7, matching_logs: 5, complete: true });
  assert.deepEqual(await position("seq=12"), { skip: 5, seq: null, matching_logs: 5, complete: true });
  assert.deepEqual(await position("seq=6&q=even"), { skip: 1, seq: 7, matching_logs: 3, complete: true });
  const timeline = (await read(token, "/logs/timeline")).json;
  assert.deepEqual([timeline.total_logs, timeline.turns], [5, []]);
  const events = await eventsOf(token, () => false);
  assert.deepEqual(
    events.filter(({ event }) => event === "entry").map(({ id }) => id),
    [5, 6, 7, 8, 9],
  );
  assert.equal(events.at(-1)?.event, "end");
});

test("an open end follows the run, and the stream ends at the last entry of a range while the run goes on", async () => {
  const { run, lease } = await api.liveRun(3);
  const [open, closed] = [await share(run.id, { from_seq: 2 }), await share(run.id, { to_seq: 4 })];
  const count = async (token: string) => (await read(token)).json.total_logs;
  assert.deepEqual([await count(open.token), await count(closed.token)], [2, 3]);
  const following = eventsOf(closed.token, () => false);
  await api.store.queue.append(lease, someEntries(3));
  const events = await following;
  assert.deepEqual(
    events.filter(({ event }) => event === "entry").map(({ id }) => id),
    [1, 2, 3, 4],
  );
  assert.equal(events.at(-1)?.event, "end");
  assert.deepEqual([await count(open.token), await count(closed.token)], [5, 4]);
  assert.equal((await read(closed.token)).json.status, "completed");
  assert.equal((await read(open.token)).json.status, "running");
  const again = await eventsOf(closed.token, () => false, "?after=4");
  assert.deepEqual(
    again.map(({ event }) => event),
    ["run", "end"],
  );
  await api.finish(lease);
});

test("an open stream is cut off when its link is revoked", async () => {
  const { run, lease } = await api.liveRun(1);
  const { id, token } = await share(run.id);
  let revoked = false;
  const events = await eventsOf(token, ({ length }) => {
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
  const events = await eventsOf(token, () => false);
  assert.deepEqual(
    events.map(({ event }) => event),
    ["run", "entry"],
  );
  await api.finish(lease);
});

test("the list tells who looked how often, and a view counts once", async () => {
  const runId = await endedRun(1);
  const made = await share(runId, { days: null, from_seq: 1, to_seq: 1 });
  const list = async () => {
    const { json, text } = await api.ask("GET", `${O}/agent/run/${runId}/shares`, { token: await api.token() });
    assert.ok(!text.includes(made.token));
    return (json.items as { views: number; last_viewed_at: string | null; expires_at: string | null }[])[0];
  };
  assert.deepEqual(
    [(await list())?.views, (await list())?.last_viewed_at, (await list())?.expires_at],
    [0, null, null],
  );
  await read(made.token, "?view=true");
  for (const path of ["", "/logs", "/logs/stream", "/logs/outline"]) await read(made.token, path);
  assert.equal((await list())?.views, 1);
  assert.match((await list())?.last_viewed_at ?? "", /Z$/);
});

test("a preview counts what shows and what is masked", async () => {
  const runId = await endedRun([said(secret), ran(secret), ran("plain"), said("bye")]);
  const preview = async (query: string) => {
    const path = `${O}/agent/run/${runId}/shares/preview?${query}`;
    return (await api.ask("GET", path, { token: await api.token() })).json;
  };
  assert.deepEqual(await preview("outputs=true"), {
    logs: 4,
    tool_calls: 2,
    checked_to_seq: 4,
    complete: true,
    masked_secrets: 2,
    masked_logs: 2,
    masked_seqs: [1, 2],
  });
  const part = await preview("from_seq=2&to_seq=3");
  assert.deepEqual([part.logs, part.tool_calls, part.masked_secrets, part.checked_to_seq], [2, 2, 0, 3]);
  const rest = await preview("outputs=true&after_seq=1");
  assert.deepEqual([rest.logs, rest.masked_seqs], [4, [2]]);
});

type Streamed = { event: string; id: number | null; data: unknown };

/** Reads the stream until it ends or enough has come. */
async function eventsOf(token: string, isEnough: (events: Streamed[]) => boolean, query = ""): Promise<Streamed[]> {
  const gone = new AbortController();
  const request = new Request(`http://errand.test/v1/shares/${token}/logs/stream${query}`, { signal: gone.signal });
  const { body } = await dispatchOver(api.api)(request);
  assert.ok(body !== null);
  const events: Streamed[] = [];
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  try {
    for (let next = await reader.read(); !next.done && !isEnough(events); next = await reader.read()) {
      for (const block of next.value.split("\n\n")) {
        const event = /^event: (\w+)/m.exec(block)?.[1];
        const data = /^data: (.*)$/m.exec(block)?.[1];
        if (event === undefined || data === undefined) continue;
        events.push({
          event,
          id: Number(/^id: (\d+)/m.exec(block)?.[1] ?? Number.NaN) || null,
          data: JSON.parse(data),
        });
      }
      if (isEnough(events)) break;
    }
  } finally {
    gone.abort();
    await reader.cancel();
  }
  return events;
}
