import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fieldsOf } from "#lib/contract/json-fields.ts";
import { populationProblem } from "#lib/contract/logs/entry.ts";
import { type ConvertedTrace, callsOf, convertTraces, tracesFolder } from "./convert-trace.fixture.ts";
import { arrayOf } from "./trace-builder.fixture.ts";

const folder = tracesFolder();

test("recorded traces convert to as many calls, errors and messages as were counted in them", (t) => {
  if (folder === null) return t.skip("no recorded traces beside this checkout (../shared/traces)");
  const oracle = fieldsOf(JSON.parse(readFileSync(join(folder, "ORACLE.json"), "utf8")));
  let files = 0;
  for (const trace of convertTraces(folder)) {
    files += 1;
    const counted = fieldsOf(oracle[`dev/${trace.file}`]);
    for (const [what, expected, found] of comparisons(trace, counted)) {
      if (expected !== undefined) assert.equal(found, expected, `${trace.file}: ${what}`);
    }
    for (const { entries } of trace.runs) {
      for (const entry of entries) assert.equal(populationProblem(entry), null, trace.file);
    }
  }
  assert.ok(files > 50);
});

function comparisons(trace: ConvertedTrace, counted: Record<string, unknown>): [string, unknown, unknown][] {
  const calls = callsOf(trace);
  const entries = trace.runs.flatMap((run) => run.entries);
  const unanswered = calls.filter(({ tool_output }) => Object.keys(tool_output ?? {}).length === 0);
  const people = entries.filter(({ message_type }) => message_type === "USER_MESSAGE").length;
  const toolStates = fieldsOf(counted.tool_states);
  const states = Object.values(toolStates).reduce((sum: number, count) => sum + Number(count), 0);
  const statusOf = (status: string) => calls.filter(({ tool_output }) => tool_output?.status === status).length;
  return [
    [
      "calls",
      counted.paired_calls ?? (typeof counted.tool_calls === "number" ? counted.tool_calls : undefined),
      calls.length,
    ],
    ["calls by state", counted.tool_states === undefined ? undefined : states, calls.length],
    ["calls in error", toolStates.error, statusOf("error")],
    [
      "unanswered calls",
      Array.isArray(counted.unanswered_calls) ? [...arrayOf(counted.unanswered_calls)].sort().join() : undefined,
      unanswered
        .map(({ tool_call_id }) => tool_call_id)
        .sort()
        .join(),
    ],
    ["errors flagged", counted.error_results, calls.filter(({ tool_output }) => tool_output?.is_error === true).length],
    ["messages", counted.user_messages ?? counted.mainchain_user_text_blocks, people],
    [
      "steps",
      typeof counted.steps === "number" && trace.file.startsWith("swe-agent") ? counted.steps : undefined,
      calls.length,
    ],
  ];
}
