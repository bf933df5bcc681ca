import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fieldsOf } from "#lib/contract/json-fields.ts";
import { convertTraces, tracesFolder } from "#lib/entry/trace-converter/convert-trace.fixture.ts";
import { handLabels } from "#lib/entry/trace-converter/hand-labels.fixture.ts";
import { analysed, falseQuotes } from "./analysed.fixture.ts";
import type { StoredEntry } from "./step.ts";

const folder = tracesFolder();
const absent = "no recorded traces beside this checkout (../shared/traces)";

/** Every recorded run, with the file that it comes from. */
function* recorded(): Generator<{ file: string; entries: StoredEntry[] }[]> {
  for (const { file, runs } of convertTraces(folder ?? "")) {
    yield runs.map(({ entries }) => ({ file, entries: entries.map((entry) => ({ ...entry })) }));
  }
}

test("calls, flagged errors, unanswered calls and messages match the counts of the traces", (t) => {
  if (folder === null) return t.skip(absent);
  const oracle = fieldsOf(JSON.parse(readFileSync(join(folder, "ORACLE.json"), "utf8")));
  let compared = 0;
  for (const runs of recorded()) {
    const file = runs[0]?.file ?? "";
    const counted = fieldsOf(oracle[`dev/${file}`]);
    const totals = runs.map(({ entries }) => analysed(entries).totals);
    const sum = (name: keyof (typeof totals)[number]) => totals.reduce((all, one) => all + one[name], 0);
    const states = fieldsOf(counted.tool_states);
    const expected: [string, unknown, number][] = [
      ["calls", counted.paired_calls ?? counted.tool_calls, sum("calls")],
      ["flagged", counted.error_results ?? states.error, sum("flagged")],
      [
        "unanswered",
        Array.isArray(counted.unanswered_calls) ? counted.unanswered_calls.length : undefined,
        sum("unanswered"),
      ],
      ["messages", counted.user_messages ?? counted.mainchain_user_text_blocks, sum("user_messages")],
    ];
    for (const [what, wanted, found] of expected) {
      if (typeof wanted !== "number") continue;
      compared += 1;
      assert.equal(found, wanted, `${file}: ${what}`);
    }
  }
  assert.ok(compared > 60, `${compared} figures compared`);
});

test("every finding in the traces quotes words from the step that it names", (t) => {
  if (folder === null) return t.skip(absent);
  for (const runs of recorded()) {
    for (const { file, entries } of runs) assert.deepEqual(falseQuotes(entries, analysed(entries)), [], file);
  }
});

test("verdicts of checks match those of a person who had not seen this code", (t) => {
  if (folder === null) return t.skip(absent);
  let agreed = 0;
  const differing: string[] = [];
  const falseRed: string[] = [];
  const missedRed: string[] = [];
  for (const runs of recorded()) {
    const file = runs[0]?.file ?? "";
    const labels = handLabels[file];
    if (labels === undefined) continue;
    const said = verdictsByCall(runs);
    for (let place = 1; place <= labels.kinds.length; place += 1) {
      const wanted = labels.verdicts[place]?.split(" ")[1] ?? "none";
      const found = said.get(place) ?? ["none"];
      const isDoubtful = labels.doubts.includes(place);
      const where = `${file} ${place}: ${wanted}, said ${found.join()}`;
      if (found.includes("fail") && wanted !== "fail" && !isDoubtful) falseRed.push(where);
      // A red check may never be called green, even in doubtful cases.
      if (wanted === "fail" && (found.includes("pass") || (!isDoubtful && !found.includes("fail"))))
        missedRed.push(where);
      if (isDoubtful || (wanted === "none" && found[0] === "none")) continue;
      if (found.length === 1 && found[0] === wanted) agreed += 1;
      else differing.push(where);
    }
  }
  t.diagnostic(`${agreed} verdicts agree, ${differing.length} differ: ${differing.join("; ")}`);
  assert.deepEqual({ falseRed, missedRed }, { falseRed: [], missedRed: [] });
  assert.ok(agreed >= 110, `${agreed} agree`);
  assert.ok(differing.length <= 3, differing.join("; "));
});

/** Verdicts by the position of the call in its file, from 1. */
function verdictsByCall(runs: readonly { entries: StoredEntry[] }[]): Map<number, string[]> {
  const found = new Map<number, string[]>();
  let place = 0;
  for (const { entries } of runs) {
    const places = new Map<number, number>();
    for (const [index, { message_type }] of entries.entries()) {
      if (message_type !== "ACTION") continue;
      place += 1;
      places.set(index + 1, place);
    }
    for (const { seq, verdict } of analysed(entries).tests.runs) {
      const own = places.get(seq) ?? 0;
      found.set(own, [...(found.get(own) ?? []), verdict]);
    }
  }
  return found;
}

test("asking in between changes no byte of the result", (t) => {
  if (folder === null) return t.skip(absent);
  for (const runs of recorded()) {
    for (const { file, entries } of runs) {
      const whole = JSON.stringify(analysed(entries));
      assert.equal(JSON.stringify(analysed(entries, { askEvery: 7 })), whole, file);
    }
  }
});

test("moving a project to another folder changes no cause, verdict or repeat", (t) => {
  if (folder === null) return t.skip(absent);
  for (const runs of recorded()) {
    for (const { file, entries } of runs) {
      const moved = JSON.parse(
        JSON.stringify(entries).replaceAll("/Users/dev/", "/home/somebody/").replaceAll("/testbed", "/work/there"),
      );
      assert.deepEqual(shapeOf(analysed(moved)), shapeOf(analysed(entries)), file);
    }
  }
});

test("a thousand unrelated reads change no cause and no verdict", (t) => {
  if (folder === null) return t.skip(absent);
  for (const runs of recorded()) {
    for (const { file, entries } of runs) {
      const place = Math.floor(entries.length / 2);
      const at = entries[place]?.created_at ?? "2026-01-01T00:00:00.000Z";
      const reads = Array.from(
        { length: 1000 },
        (_, count): StoredEntry => ({
          created_at: at,
          message_type: "ACTION",
          tool_name: "Read",
          tool_input: { file_path: `/elsewhere/file-${count}.ts` },
          tool_output: { text: `contents ${count}`, is_error: false },
        }),
      );
      const more = [...entries.slice(0, place), ...reads, ...entries.slice(place)];
      const { causes, verdicts } = shapeOf(analysed(more));
      const without = shapeOf(analysed(entries));
      assert.deepEqual({ causes, verdicts }, { causes: without.causes, verdicts: without.verdicts }, file);
    }
  }
});

/** The part that must not change when only names and places do. */
function shapeOf({ causes, tests, repeats }: ReturnType<typeof analysed>) {
  return {
    causes: causes.map(({ rule, confidence, count }) => [rule, confidence, count]),
    verdicts: tests.runs.map(({ kind, verdict, exit, framework }) => [kind, verdict, exit, framework]),
    repeats: repeats.map(({ kind, count, tool }) => [kind, count, tool]).sort(),
  };
}
