import assert from "node:assert/strict";
import { test } from "node:test";
import { convertTraces, tracesFolder } from "#lib/entry/trace-converter/convert-trace.fixture.ts";
import { countOf } from "#lib/test-counts.fixture.ts";
import { analysed, falseQuotes } from "./analysed.fixture.ts";
import { findingsOf, type Planted, plainTrace, plant } from "./planted.fixture.ts";
import type { StoredEntry } from "./step.ts";

const planted = countOf({ short: 60, long: 500 });

/** Recorded runs of more than a few steps, if there are any, and some written here. */
function bases(): StoredEntry[][] {
  const written = Array.from({ length: 12 }, (_, number) => plainTrace(number));
  const folder = tracesFolder();
  if (folder === null) return written;
  const recorded = [...convertTraces(folder)].flatMap(({ runs }) =>
    runs.map(({ entries }) => entries.map((entry): StoredEntry => ({ ...entry }))),
  );
  return [...recorded.filter(({ length }) => length >= 8 && length <= 500), ...written];
}

function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Number of identical neighboring pairs of calls: what a rule without any other knowledge would report. */
function naiveLoops(entries: readonly StoredEntry[]): number {
  const seen = new Map<string, number>();
  for (const { message_type, tool_name, tool_input } of entries) {
    if (message_type !== "ACTION") continue;
    const key = JSON.stringify([tool_name, tool_input]);
    seen.set(key, (seen.get(key) ?? 0) + 1);
  }
  return [...seen.values()].filter((count) => count >= 2).length;
}

test("planted faults are found, and nothing is found that was not planted", (t) => {
  const all = bases();
  const random = randomFrom(20261122);
  const missed: string[] = [];
  const invented: string[] = [];
  let found = 0;
  let naive = 0;
  let loops = 0;
  for (let number = 0; number < planted; number += 1) {
    const base = all[Math.floor(random() * all.length)] ?? [];
    const fault = plant(base, number, random);
    const analysis = analysed(fault.entries, { status: fault.status });
    if (fault.isFound(analysis)) found += 1;
    else missed.push(`${number} ${fault.fault}`);
    invented.push(...inventedBy(base, fault, analysis).map((kind) => `${number} ${fault.fault}: ${kind}`));
    naive += naiveLoops(fault.entries);
    loops += analysis.repeats.filter(({ kind }) => kind === "loop").length;
    assert.deepEqual(falseQuotes(fault.entries, analysis), [], fault.fault);
  }
  const recall = found / planted;
  const precision = found / (found + invented.length);
  t.diagnostic(`recall ${recall.toFixed(3)}, precision ${precision.toFixed(3)} over ${planted} traces`);
  t.diagnostic(`loops said: ${loops}; a rule that takes the same call twice for one says ${naive}`);
  t.diagnostic(`invented: ${invented.join(", ") || "nothing"}; missed: ${missed.join(", ") || "nothing"}`);
  assert.ok(recall >= 0.98, `missed: ${missed.join(", ")}`);
  assert.ok(precision >= 0.95, `invented: ${invented.join(", ")}`);
});

/** Kinds of findings that neither exist in the base nor are caused by the fault. */
function inventedBy(base: readonly StoredEntry[], fault: Planted, analysis: ReturnType<typeof analysed>): string[] {
  const counts = new Map<string, number>();
  for (const { kind } of findingsOf(analysed(base, { status: fault.status })))
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return findingsOf(analysis).flatMap(({ kind }) => {
    const left = counts.get(kind) ?? 0;
    counts.set(kind, left - 1);
    return left > 0 || fault.brings.includes(kind) ? [] : [kind];
  });
}
