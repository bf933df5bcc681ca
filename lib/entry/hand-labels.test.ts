import assert from "node:assert/strict";
import { test } from "node:test";
import { outcomeOf } from "./outcome.ts";
import { toolViewOf } from "./read-tool-view.ts";
import { callsOf, convertTraces, tracesFolder } from "./trace-converter/convert-trace.fixture.ts";
import { handLabels, labelKinds, labelOutcomes } from "./trace-converter/hand-labels.fixture.ts";

type Judged = { place: string; label: string; found: string; isDoubtful: boolean };

const folder = tracesFolder();
const skipped = "no recorded traces beside this checkout (../shared/traces)";

test("kinds of calls agree with those that were labelled by hand", (t) => {
  if (folder === null) return t.skip(skipped);
  const { kinds } = judged(folder);
  t.diagnostic(agreement(kinds));
  const wrong = kinds.filter(({ label, found }) => label !== found);
  const outright = wrong.filter(({ isDoubtful, label }) => !isDoubtful && label !== "generic");
  // A call of a kind that exists here is shown as that kind, or generically; never as another one.
  const [known, fitting] = [
    kinds.filter(({ label }) => label !== "generic"),
    kinds.filter(({ label, found }) => label === found && label !== "generic"),
  ];
  assert.ok(fitting.length >= 0.97 * known.length, `${fitting.length} of ${known.length}`);
  assert.deepEqual(outright.filter(({ found }) => found !== "generic").map(told), []);
  assert.deepEqual(wrong.filter(({ label, isDoubtful }) => label === "generic" && !isDoubtful).map(told), []);
});

test("failures are found, and nothing else is called one", (t) => {
  if (folder === null) return t.skip(skipped);
  const { outcomes } = judged(folder);
  t.diagnostic(agreement(outcomes));
  const sure = outcomes.filter(({ isDoubtful }) => !isDoubtful);
  for (const some of [sure, outcomes]) {
    const failed = some.filter(({ label }) => label === "failed");
    const called = some.filter(({ found }) => found === "failed");
    const both = failed.filter(({ found }) => found === "failed").length;
    t.diagnostic(`failures: recall ${both}/${failed.length}, precision ${both}/${called.length}`);
    assert.ok(both >= 0.97 * failed.length && both >= 0.97 * called.length);
  }
  assert.deepEqual(sure.filter(({ label, found }) => label !== found).map(told), []);
});

const told = ({ place, label, found }: Judged) => `${place}: ${label}, found ${found}`;

function judged(traces: string): { kinds: Judged[]; outcomes: Judged[] } {
  const kinds: Judged[] = [];
  const outcomes: Judged[] = [];
  for (const trace of convertTraces(traces)) {
    const labels = handLabels[trace.file];
    if (labels === undefined) continue;
    const calls = callsOf(trace);
    assert.equal(calls.length, labels.kinds.length, trace.file);
    for (const [index, call] of calls.entries()) {
      const place = `${trace.file} ${index + 1} ${call.tool_name}`;
      const isDoubtful = labels.doubts.includes(index + 1);
      const written = labelKinds[labels.kinds[index] ?? ""] ?? "";
      const label = written === "write" || written === "patch" ? "edit" : written;
      kinds.push({ place, label, found: toolViewOf(call).kind, isDoubtful });
      outcomes.push({
        place,
        label: labelOutcomes[labels.outcomes[index] ?? ""] ?? "",
        found: outcomeOf(call),
        isDoubtful,
      });
    }
  }
  return { kinds, outcomes };
}

/** How many of each label agree: `shell 1050/1057`. */
function agreement(all: readonly Judged[]): string {
  const counts = new Map<string, [same: number, all: number]>();
  for (const { label, found } of all) {
    const [same, whole] = counts.get(label) ?? [0, 0];
    counts.set(label, [same + (label === found ? 1 : 0), whole + 1]);
  }
  return [...counts].map(([label, [same, whole]]) => `${label} ${same}/${whole}`).join(", ");
}
