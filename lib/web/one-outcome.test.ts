import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { entryOutcome } from "#components/trace/entry/parts/entry-meaning.ts";
import { groupsIn } from "#components/trace/steps/groups/entry-groups.ts";
import type { LogEntry } from "#lib/contract/logs/entry.ts";
import type { Outline } from "#lib/contract/logs/outline.ts";
import type { Timeline } from "#lib/contract/logs/timeline.ts";
import { outcomeCases } from "#lib/entry/outcome-cases.fixture.ts";
import { ApiUnderTest } from "./api-under-test.ts";

const O = "/v1/organizations/1";
const begin = Date.parse("2026-01-31T12:00:00.000Z");
const failed = outcomeCases.flatMap(({ outcome }, index) => (outcome === "failed" ? [index + 1] : []));

let api: ApiUnderTest;
let token: string;
before(async () => {
  api = await ApiUnderTest.open();
  token = await api.token();
});
after(() => api.close());

const reported = outcomeCases.map(({ tool_name, tool_input, tool_output }, index) => ({
  message_type: "ACTION" as const,
  created_at: new Date(begin + index * 1000).toISOString(),
  tool_name,
  tool_input,
  tool_output,
}));

/** An external run, reported through the API. */
async function toldRun(): Promise<number> {
  const { json } = await api.ask("POST", `${O}/agent/run`, { token, body: { prompt: "Told", agent: "external" } });
  const path = `${O}/agent/run/${json.id}/logs`;
  const told = await api.ask("POST", path, { token, body: { entries: reported } });
  assert.equal(told.status, 200, told.text);
  return Number(json.id);
}

/** A run of this service's own engine. */
async function drivenRun(): Promise<number> {
  const blank = { tool_call_id: null, thought: null, observation: null };
  const { run } = await api.liveRun(reported.map((entry) => ({ ...blank, ...entry })));
  return run.id;
}

const ways = { "over the API": toldRun, "by the engine": drivenRun };

for (const [way, makeRun] of Object.entries(ways)) {
  test(`outline, filter, timeline, export, groups and cards agree on the outcomes of calls that came ${way}`, async () => {
    const runId = await makeRun();
    const get = async (path: string) => {
      const answered = await api.ask("GET", `${O}/agent/run/${runId}/${path}`, { token });
      assert.equal(answered.status, 200, answered.text);
      return answered;
    };
    const { buckets } = (await get(`logs/outline?buckets=${outcomeCases.length}`)).json as Outline;
    const onTheMap = buckets.flatMap(({ from_seq, errors }) => (errors > 0 ? [from_seq] : []));
    assert.deepEqual(onTheMap, failed);
    // J and K ask for the next error after an entry, and the one before it.
    const passed: number[] = [];
    for (let from = 1; from <= outcomeCases.length; ) {
      const [next] = ((await get(`logs/outline?from_seq=${from}&buckets=1`)).json as Outline).buckets;
      const seq = next?.first_error_seq ?? null;
      if (seq === null) break;
      passed.push(seq);
      from = seq + 1;
    }
    assert.deepEqual(passed, failed);

    const filtered = (await get("logs?errors=true&limit=100")).json.logs as LogEntry[];
    assert.deepEqual(
      filtered.map(({ seq }) => seq),
      failed,
    );

    const timeline = (await get("logs/timeline")).json as Timeline;
    const bars = (timeline.spans ?? []).filter(({ is_error }) => is_error).map(({ seq }) => seq);
    assert.deepEqual(
      bars.sort((one, other) => one - other),
      failed,
    );
    assert.equal(
      timeline.parts.reduce((sum, { errors }) => sum + errors, 0),
      failed.length,
    );

    const page = (await get("export?format=html")).text;
    const exported = [...page.matchAll(/<article id="entry-(\d+)" class="failed">/g)].map(([, seq]) => Number(seq));
    assert.deepEqual(exported, failed);
    const markdown = (await get("export?format=markdown")).text;
    assert.equal(markdown.match(/\*\*failed\*\*/g)?.length, failed.length);

    for (const clip of ["", "&clip=300"]) {
      const entries = (await get(`logs?limit=100${clip}`)).json.logs as LogEntry[];
      assert.deepEqual(
        entries.map(entryOutcome),
        outcomeCases.map(({ outcome }) => outcome),
        clip,
      );
      const inGroups = groupsIn(entries, 0).map(({ first, last, failures }) => {
        const within = failed.filter((seq) => seq - 1 >= first && seq - 1 <= last).length;
        assert.equal(failures, within);
        return within;
      });
      assert.ok(inGroups.some((count) => count > 0));
    }
  });
}
