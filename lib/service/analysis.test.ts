import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { after, before, test } from "node:test";
import { Analysis } from "#lib/contract/logs/analysis.ts";
import { openAnalysisThread, type RunAnalyst } from "#lib/service/analysis-threads.ts";
import { openAnalysisReader } from "#lib/store/entries/analysis-reader.ts";
import { ApiUnderTest } from "#lib/web/api-under-test.ts";
import { AnalysisRuns } from "./analysis-runs.ts";

let api: ApiUnderTest;
before(async () => {
  api = await ApiUnderTest.open();
});
after(() => api.close());

const O = "/v1/organizations/1";
const shell = (command: string, text: string, isError = false) => ({
  message_type: "ACTION",
  tool_name: "Bash",
  tool_input: { command },
  tool_output: { text, is_error: isError },
});
const edit = (path: string) => ({
  message_type: "ACTION",
  tool_name: "Edit",
  tool_input: { file_path: path, old_string: "a", new_string: "b" },
  tool_output: { text: `The file ${path} has been updated.`, is_error: false },
});
const entries = [
  { message_type: "USER_MESSAGE", observation: "Mend it" },
  shell("npm test 2>&1 | tail -3", "# pass 3\n# fail 0"),
  edit("/w/src/a.ts"),
  shell("npm test 2>&1 | tail -3", "# pass 2\n# fail 1"),
  { message_type: "FINAL_ANSWER", observation: "All is well." },
].map((entry, place) => ({ ...entry, created_at: new Date(Date.UTC(2026, 0, 31, 12, 0, place)).toISOString() }));

async function reported(some: readonly object[], status: string | null = null): Promise<number> {
  const token = await api.token();
  const made = await api.ask("POST", `${O}/agent/run`, { token, body: { prompt: "Told", agent: "external" } });
  const id = Number(made.json.id);
  await append(id, some);
  if (status !== null) {
    const { status: code } = await api.ask("PATCH", `${O}/agent/run/${id}`, { token, body: { status } });
    assert.equal(code, 200);
  }
  return id;
}

async function append(id: number, some: readonly object[]): Promise<void> {
  if (some.length === 0) return;
  const asked = { token: await api.token(), body: { entries: some } };
  const { status, text } = await api.ask("POST", `${O}/agent/run/${id}/logs`, asked);
  assert.equal(status, 200, text);
}

/** The analysis of all entries that the run had: on a busy machine the first response covers fewer. */
async function analysisOf(id: number, headers: Record<string, string> = {}) {
  for (;;) {
    const answered = await api.ask("GET", `${O}/agent/run/${id}/analysis`, { token: await api.token(), headers });
    if (answered.status !== 200) return { ...answered, analysis: null };
    const analysis = Analysis.parse(answered.json);
    if (analysis.analysed === analysis.entries) return { ...answered, analysis };
  }
}

test("a failed test run behind a pipe is the cause, with the words that show it", async () => {
  const { analysis } = await analysisOf(await reported(entries, "completed"));
  assert.ok(analysis !== null);
  assert.deepEqual([analysis.entries, analysis.partial, analysis.outcome.verdict], [5, false, "answered"]);
  assert.deepEqual(
    analysis.tests.runs.map(({ seq, verdict, exit, flagged }) => ({ seq, verdict, exit, flagged })),
    [
      { seq: 2, verdict: "pass", exit: "hidden", flagged: false },
      { seq: 4, verdict: "fail", exit: "hidden", flagged: false },
    ],
  );
  const [cause] = analysis.causes;
  assert.equal(cause?.rule, "tests_red_at_end");
  assert.deepEqual(cause?.evidence[0], { seq: 4, quote: "# fail 1" });
  const [regression] = analysis.tests.regressed;
  assert.deepEqual([regression?.green_seq, regression?.red_seq, regression?.edits], [2, 4, [3]]);
});

test("the files of a kept diff are listed, those of a cut one are not", async () => {
  const id = await reported(entries, "completed");
  const cut = await reported(entries, "completed");
  const database = new DatabaseSync(`${api.folder}/errand.db`);
  const keep = database.prepare("insert into run_diffs (run_id, diff) values (?, ?)");
  const diff = Buffer.from("diff --git a/src/a.ts b/src/a.ts\nGIT binary patch\nliteral 1\n\xff", "latin1");
  for (const runId of [id, cut]) keep.run(runId, diff);
  const changes = JSON.stringify({ files: 1, insertions: 0, deletions: 0, truncated: true });
  database.prepare("update runs set changes = ? where id = ?").run(changes, cut);
  database.close();
  const { analysis } = await analysisOf(id);
  assert.deepEqual(
    analysis?.files.map(({ path, kept }) => [path, kept]),
    [["/w/src/a.ts", true]],
  );
  assert.doesNotMatch(analysis?.limits.join("\n") ?? "", /diff/);
  const { analysis: unsure } = await analysisOf(cut);
  assert.deepEqual(
    unsure?.files.map(({ kept }) => kept),
    [null],
  );
  assert.match(unsure?.limits.join("\n") ?? "", /The run's diff was cut/);
});

test("a run at work is analyzed as far as it is, and the analysis continues from there", async () => {
  const id = await reported(entries.slice(0, 2));
  const first = await analysisOf(id);
  assert.deepEqual(
    [first.analysis?.partial, first.analysis?.analysed, first.analysis?.outcome.verdict],
    [true, 2, null],
  );
  await append(id, entries.slice(2));
  const whole = await analysisOf(id);
  assert.deepEqual([whole.analysis?.partial, whole.analysis?.analysed], [true, 5]);
  assert.notEqual(first.headers.get("etag"), whole.headers.get("etag"));
});

test("an analysis that has not read every entry has no ETag and is not kept", async () => {
  const id = await reported(entries, "completed");
  const reader = openAnalysisReader(`${api.folder}/errand.db`);
  const runs = new AnalysisRuns(reader);
  const { analyst } = api.runtime;
  const oneMoreEntry: RunAnalyst = {
    async analyse(run) {
      runs.readOn(run, 0);
      return runs.say(run);
    },
    async close() {},
  };
  Object.assign(api.runtime, { analyst: oneMoreEntry });
  try {
    const token = await api.token();
    for (let analysed = 1; analysed <= entries.length; analysed += 1) {
      const { json, headers } = await api.ask("GET", `${O}/agent/run/${id}/analysis`, { token });
      const isWhole = analysed === entries.length;
      assert.deepEqual([json.analysed, json.partial, headers.has("etag")], [analysed, !isWhole, isWhole]);
      assert.equal(headers.get("cache-control"), isWhole ? "private, no-cache" : "no-store");
      assert.equal((await api.store.analyses.find(api.home, id)) !== null, isWhole);
    }
  } finally {
    Object.assign(api.runtime, { analyst });
    reader.close();
  }
});

test("the same entries give the same bytes, in one piece, in several, and from a new thread", async () => {
  const inPieces = await reported([]);
  for (const entry of entries) {
    await append(inPieces, [entry]);
    await analysisOf(inPieces);
  }
  await api.ask("PATCH", `${O}/agent/run/${inPieces}`, { token: await api.token(), body: { status: "completed" } });
  const text = (await analysisOf(inPieces)).text;
  const fresh = openAnalysisThread({ storeFile: `${api.folder}/errand.db` });
  try {
    const asked = { id: inPieces, status: "completed", totalLogs: entries.length } as const;
    assert.deepEqual(await fresh.analyse(asked, 60_000), { body: text, isWhole: true });
  } finally {
    await fresh.close();
  }
  const own = (id: number, said: string) => said.replace(`"agent_run_id":${id}`, '"agent_run_id":0');
  const atOnce = await reported(entries, "completed");
  assert.equal(own(atOnce, (await analysisOf(atOnce)).text), own(inPieces, text));
});

test("the analysis of a run that has ended is kept, and later responses come from there", async () => {
  const id = await reported(entries, "completed");
  const { text, headers } = await analysisOf(id);
  const kept = await api.store.analyses.find(api.home, id);
  assert.deepEqual([kept?.body, kept?.totalLogs, kept?.status], [text, 5, "completed"]);
  await api.store.analyses.keep(api.home, id, {
    ...kept,
    body: '{"kept":true}',
    totalLogs: 5,
    version: kept?.version ?? 0,
    status: "completed",
  });
  const answered = await api.ask("GET", `${O}/agent/run/${id}/analysis`, { token: await api.token() });
  assert.equal(answered.text, `{"kept":true}`);
  const again = await analysisOf(id, { "if-none-match": headers.get("etag") ?? "" });
  assert.equal(again.status, 304);
});

test("a kept analysis of fewer entries or by other rules is made again", async () => {
  const id = await reported(entries, "completed");
  const { text } = await analysisOf(id);
  const stale = { body: "{}", totalLogs: 4, version: 1, status: "completed" } as const;
  for (const kept of [
    stale,
    { ...stale, totalLogs: 5, version: 0 },
    { ...stale, totalLogs: 5, status: "failed" as const },
  ]) {
    await api.store.analyses.keep(api.home, id, kept);
    assert.equal((await analysisOf(id)).text, text);
  }
});

test("a run without entries has no analysis, in the words of the reference service", async () => {
  const { status, json } = await analysisOf(await reported([]));
  assert.deepEqual([status, json.message], [400, "No logs available for analysis"]);
});

test("several concurrent callers, for several runs, all get their own answer", async () => {
  const ids = await Promise.all(Array.from({ length: 9 }, () => reported(entries, "completed")));
  const answers = await Promise.all(ids.flatMap((id) => [analysisOf(id), analysisOf(id)]));
  assert.deepEqual(
    answers.map(({ analysis }) => [analysis?.agent_run_id, analysis?.analysed]),
    ids.flatMap((id) => [
      [id, 5],
      [id, 5],
    ]),
  );
});

test("a share link does not open the analysis", async () => {
  const id = await reported(entries, "completed");
  const made = await api.ask("POST", `${O}/agent/run/${id}/shares`, { token: await api.token(), body: {} });
  assert.equal((await api.ask("GET", `/v1/shares/${made.json.token}/analysis`)).status, 404);
});
