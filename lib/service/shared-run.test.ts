import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { checkOutputMarker } from "#lib/entry/checks-said.ts";
import { maskOf } from "#lib/entry/mask-values.ts";
import { secretMask } from "#lib/entry/secret-mask.ts";
import { ApiUnderTest, someEntries } from "#lib/web/api-under-test.ts";
import { at, blank, endedRun, eventsOf, logsOf, ran, read, said, secret, share } from "#lib/web/shared-run.fixture.ts";
import { presentSharedEntry } from "./shared-entry.ts";
import { presentSharedProgress } from "./shared-part.ts";

let api: ApiUnderTest;
before(async () => {
  api = await ApiUnderTest.open();
});
after(() => api.close());

test("hidden outputs are in no response, and are not found by a search", async () => {
  const failure = { code: "tool_failed", message: "It gave up", data: { trace: "hush" } };
  const runId = await endedRun(api, [
    said("Go"),
    { ...ran("hush"), observation: "hush" },
    { ...blank, created_at: at, message_type: "ERROR", observation: failure },
  ]);
  const hidden = await share(api, runId);
  const open = await share(api, runId, { outputs: true });
  for (const path of ["", "/logs", "/logs?clip=10", "/logs/2", "/logs/3", "/logs/stream", "/logs/search?q=hus"]) {
    assert.ok(!(await read(api, hidden.token, path)).text.includes("hush"), path);
    if (path !== "") assert.ok((await read(api, open.token, path)).text.includes("hush"), path);
  }
  const [, action, error] = logsOf(await read(api, hidden.token, "/logs"));
  assert.deepEqual(action?.tool_output, { status: "completed", exit_code: 0, duration_ms: 12 });
  assert.deepEqual(action?.tool_input, { command: "cat notes" });
  assert.deepEqual(error?.observation, { code: "tool_failed", message: "It gave up" });
  const found = await read(api, hidden.token, "/logs/search?q=hush&buckets=3");
  assert.deepEqual(
    [found.json.matching_logs, found.json.matches, found.json.complete, found.json.buckets],
    [0, 0, true, [0, 0, 0]],
  );
  assert.equal((await read(api, open.token, "/logs/search?q=hush")).json.matching_logs, 2);
  assert.equal((await read(api, hidden.token, "/logs?q=hush")).json.matching_logs, 0);
  assert.deepEqual((await read(api, hidden.token, "/logs/position?seq=1&q=hush")).json.seq, null);
  assert.deepEqual((await read(api, hidden.token, "/logs/tools")).json.items, [{ tool_name: "shell", count: 1 }]);
});

test("a guess of a tool's name or of a call's id that the link masks is answered as one that does not exist", async () => {
  const action = { ...ran("one"), tool_name: secret, tool_call_id: `call ${secret}` };
  const runId = await endedRun(api, [said("Go"), action, { ...ran("two"), tool_call_id: "call 2" }]);
  for (const outputs of [false, true]) {
    const { token } = await share(api, runId, { outputs });
    const [, shown] = logsOf(await read(api, token, "/logs"));
    assert.deepEqual([shown?.tool_name, shown?.tool_call_id], [secretMask, `call ${secretMask}`]);
    const answers = async (path: string, guess: string) =>
      (await read(api, token, `${path}${encodeURIComponent(guess)}`)).json;
    const known = await answers("/logs/position?tool_call_id=", "call 2");
    assert.deepEqual(known, { skip: 2, seq: 3, matching_logs: known.matching_logs, complete: true });
    assert.equal((await answers("/logs?tool_name=", "shell")).matching_logs, 1);
    for (const [path, guess, missing] of [
      ["/logs/position?tool_call_id=", `call ${secret}`, "call none"],
      ["/logs/position?seq=1&tool_name=", secret, "none"],
      ["/logs/outline?buckets=3&tool_name=", secret, "none"],
      ["/logs?tool_name=", secret, "none"],
    ] as const) {
      assert.deepEqual(await answers(path, guess), await answers(path, missing), path);
    }
  }
});

test("secrets are masked in every field and every response, and no search finds them", async () => {
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
  const { token } = await share(api, run.id, { outputs: true });
  const streamed = await eventsOf(api, token, (events) => events.some(({ event }) => event === "progress"));
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
  for (const path of paths) texts.push((await read(api, token, path)).text);
  texts.push((await read(api, token, "/logs/search?q=before")).text);
  for (const text of texts) {
    assert.ok(!text.includes("ghp_") && !text.includes("hunter2"), text);
  }
  const search = async (q: string) => (await read(api, token, `/logs/search?q=${q}`)).json.matching_logs;
  assert.deepEqual([await search(secret), await search("ghp_"), await search("before")], [0, 0, 1]);
});

test("an agent's error output is an output: a link without outputs does not show it, and another link masks it", () => {
  const progress = { thought: "", text: "", tools: [], log: `retrying with ${secret}`, updated_at: at };
  assert.ok(!("log" in (presentSharedProgress(progress, { showsOutputs: false, values: maskOf([]) }) ?? {})));
  assert.equal(
    presentSharedProgress(progress, { showsOutputs: true, values: maskOf([]) })?.log,
    `retrying with ${secretMask}`,
  );
});

test("of a range only the range is shown: entries, counts, outline, hits, times, prompt and end", async () => {
  const runId = await endedRun(
    api,
    someEntries(20, (index) => (index % 2 === 0 ? "even" : "odd")),
  );
  const { token } = await share(api, runId, { from_seq: 5, to_seq: 9 });
  const run = await read(api, token);
  assert.deepEqual(
    [run.json.total_logs, run.json.prompt, run.json.result, run.json.finished_at, run.json.turns],
    [5, "Part of a run", null, null, 1],
  );
  const page = await read(api, token, "/logs?limit=3&skip=3");
  assert.deepEqual(
    logsOf(page).map(({ seq }) => seq),
    [8, 9],
  );
  assert.deepEqual([page.json.total_logs, page.json.pages], [5, 2]);
  for (const seq of [1, 4, 10, 20]) assert.equal((await read(api, token, `/logs/${seq}`)).status, 404);
  const outline = (await read(api, token, "/logs/outline?buckets=2&from_seq=1&to_seq=20")).json;
  assert.equal(outline.total_logs, 5);
  assert.deepEqual(
    (outline.buckets as { from_seq: number; to_seq: number }[]).map((part) => [part.from_seq, part.to_seq]),
    [
      [5, 6],
      [7, 9],
    ],
  );
  const found = (await read(api, token, "/logs/search?q=even&buckets=5")).json;
  assert.deepEqual(
    [found.total_logs, found.searched_logs, found.indexed_logs, found.matching_logs, found.matches, found.buckets],
    [5, 5, 5, 3, 3, [1, 0, 1, 0, 1]],
  );
  assert.deepEqual(
    (found.hits as { seq: number }[]).map(({ seq }) => seq),
    [5, 7, 9],
  );
  const around = (await read(api, token, "/logs/search?q=even&around_seq=6&limit=1")).json;
  assert.deepEqual([around.skip, (around.hits as { seq: number }[])[0]?.seq], [1, 7]);
  const filtered = (await read(api, token, "/logs?q=even&limit=2")).json;
  assert.deepEqual([filtered.total_logs, filtered.matching_logs, filtered.pages], [5, 3, 2]);
  assert.deepEqual(
    (filtered.logs as { seq: number }[]).map(({ seq }) => seq),
    [5, 7],
  );
  const position = async (query: string) => (await read(api, token, `/logs/position?${query}`)).json;
  assert.deepEqual(await position("seq=7"), { skip: 2, seq: 7, matching_logs: 5, complete: true });
  assert.deepEqual(await position("seq=12"), { skip: 5, seq: null, matching_logs: 5, complete: true });
  assert.deepEqual(await position("seq=6&q=even"), { skip: 1, seq: 7, matching_logs: 3, complete: true });
  const timeline = (await read(api, token, "/logs/timeline")).json;
  assert.deepEqual([timeline.total_logs, timeline.turns], [5, []]);
  const events = await eventsOf(api, token, () => false);
  assert.deepEqual(
    events.filter(({ event }) => event === "entry").map(({ id }) => id),
    [5, 6, 7, 8, 9],
  );
  assert.equal(events.at(-1)?.event, "end");
});

test("a link's search runs in slices and continues on a growing run: only shown hits count, each step once", async () => {
  // Every third entry has the word in a shown part, the others in a hidden one: the index names them all.
  const entries = (count: number, from: number) =>
    Array.from({ length: count }, (_, index) =>
      (from + index) % 3 === 0 ? ran("nothing", "echo needle needle") : ran("needle"),
    );
  const { run, lease } = await api.liveRun(entries(2000, 1));
  const { token } = await share(api, run.id, { from_seq: 101 });
  const shown = (last: number) =>
    Array.from({ length: last - 100 }, (_, index) => index + 101).filter((seq) => seq % 3 === 0);
  for (const last of [2000, 2300]) {
    if (last > 2000) await api.store.queue.append(lease, entries(300, 2001));
    let searched = 0;
    for (let found = null; found?.complete !== true; ) {
      found = (await read(api, token, "/logs/search?q=NEEDLE&wait_ms=1&limit=2&buckets=2")).json;
      assert.ok(Number(found.searched_logs) >= searched && Number(found.searched_logs) <= last - 100);
      assert.ok(found.complete || Number(found.matching_logs) <= shown(last).length);
      searched = Number(found.searched_logs);
    }
    const found = (await read(api, token, "/logs/search?q=needle&skip=550&limit=30&buckets=2")).json;
    const middle = 100 + (last - 100) / 2;
    assert.deepEqual(
      [found.total_logs, found.searched_logs, found.matching_logs, found.matches, found.skip, found.buckets],
      [
        ...[last - 100, last - 100, shown(last).length, 2 * shown(last).length, 550],
        [shown(middle).length, shown(last).length - shown(middle).length],
      ],
    );
    assert.deepEqual(
      (found.hits as { seq: number }[]).map(({ seq }) => seq),
      shown(last).slice(550, 580),
    );
  }
  await api.finish(lease);
});

test("an answer is shown with the turn that gave it, not if only a later turn is shown", async () => {
  const { run, lease } = await api.liveRun(3);
  await api.finish(lease);
  await api.store.runs.addTurn(api.home, run.id, { prompt: "more", images: [], model: null });
  const again = await api.store.queue.claim("engine", 60_000);
  assert.ok(again !== null);
  await api.store.queue.append(again.lease, someEntries(2));
  const whole = await share(api, run.id);
  const later = await share(api, run.id, { from_seq: 4 });
  const end = await share(api, run.id, { from_seq: 3 });
  const shown = async ({ token }: { token: string }) => {
    const { json } = await read(api, token);
    return [json.result, json.summary, json.result_turn];
  };
  const live = [await shown(whole), await shown(later), await shown(end)];
  await api.store.queue.finishTurn(again.lease, { status: "failed", result: null, summary: null, entries: [] });
  for (const told of [live, [await shown(whole), await shown(later), await shown(end)]]) {
    assert.deepEqual(told, [
      ["done", "done", 1],
      [null, null, null],
      ["done", "done", null],
    ]);
  }
});

test("a pull request check's output is an output: a link without outputs shows how the check ended, and no more", () => {
  const check = {
    name: "build",
    status: "completed",
    conclusion: "failure",
    url: "https://git.test/1",
    duration_ms: 900,
  };
  const printed = { annotations: [{ path: "a.ts", line: 3, message: "no such name" }], excerpt: "no such name" };
  const observation = { round: 0, commit: "abc", checks: [{ ...check, ...printed }], failing: ["build"], ignored: [] };
  const body = JSON.stringify({
    ...{ agent_run_id: 1, seq: 2, created_at: at, message_type: "DETECT_PR_ERRORS", thought: null },
    ...{ tool_name: null, tool_input: null, tool_output: null, observation },
  });
  assert.match(presentSharedEntry(body, { showsOutputs: true, values: maskOf([]) }, null), /no such name/);
  const hidden = presentSharedEntry(body, { showsOutputs: false, values: maskOf([]) }, null);
  assert.doesNotMatch(hidden, /no such name|git\.test/);
  assert.match(hidden, /"name":"build".*"conclusion":"failure"/);
});

test("the output of checks is also in the prompt of the turn that fixes them: a link without outputs leaves it out", () => {
  const body = JSON.stringify({
    ...{ agent_run_id: 1, seq: 2, created_at: at, message_type: "USER_MESSAGE", thought: null },
    ...{ tool_name: null, tool_input: { turn: 2 }, tool_output: null },
    observation: `Checks of your work failed: \`build\`.\n\n${checkOutputMarker}\n\n## build: failed\n\nno such name\nprinted this`,
  });
  assert.match(
    presentSharedEntry(body, { showsOutputs: true, values: maskOf([]) }, null),
    /no such name[\s\S]*printed this/,
  );
  const hidden = presentSharedEntry(body, { showsOutputs: false, values: maskOf([]) }, null);
  assert.doesNotMatch(hidden, /no such name|printed this/);
  assert.match(hidden, /Checks of your work failed: `build`[\s\S]*What the checks printed is not shown\./);
});
