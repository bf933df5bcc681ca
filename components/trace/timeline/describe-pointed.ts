import { formatCountOf } from "#components/shell/format-number.ts";
import { formatDuration } from "#components/shell/format-time.ts";
import { entryLookOf } from "#components/trace/entry/parts/entry-look.ts";
import type { Pointed } from "./chart-rows.ts";
import { totalOf } from "./draw-parts.ts";
import { labelsOfUses, spentOn, uses } from "./mark-looks.ts";
import { sinceLabel } from "./time-ticks.ts";
import type { Bar } from "./timeline-data.ts";

/** Description of an item on the chart: a title and a few short facts. */
export type Description = { title: string; facts: string[] };

/** Label of a step. */
export function nameOf({ seq, message_type, tool_name }: Bar): string {
  const nothing = { thought: null, tool_input: null, tool_output: null, observation: null, tool_call_id: null };
  return entryLookOf({ agent_run_id: 0, created_at: "", seq, message_type, tool_name, ...nothing }).label;
}

/** Describes the selected item; times count from `startedAt`, and `offset` is added to step numbers. */
export function describePointed(pointed: Pointed, startedAt: number, offset: number): Description {
  if (pointed.kind === "bar") {
    const { bar } = pointed;
    const facts = [`Step ${(bar.seq + offset).toLocaleString("en-US")}`];
    if (bar.to > bar.from) facts.push(formatDuration(bar.to - bar.from, { precise: true }));
    if (bar.is_error && bar.message_type !== "ERROR") facts.push("failed");
    // A step's time is its end, as everywhere.
    facts.push(`at ${formatDuration(bar.to - startedAt, { precise: true })}`, clockOf(bar.to));
    return { title: nameOf(bar), facts };
  }
  const { part } = pointed;
  const total = Math.round(totalOf(part));
  const labels = labelsOfUses([part]);
  const spent = uses
    .filter((use) => spentOn(part, use) >= 1)
    .map((use) => `${labels[use]} ${formatDuration(spentOn(part, use), { precise: true })}`);
  const errors = part.errors >= 1 ? [formatCountOf(Math.round(part.errors), "error")] : [];
  const range = `${sinceOf(part.from, startedAt)}, ${formatDuration(part.to - part.from, { precise: true })} long`;
  return { title: formatCountOf(total, "step"), facts: [...errors, ...spent, range, clockOf(part.from)] };
}

/** `at 12m 03s`: time since the start. */
function sinceOf(ms: number, startedAt: number): string {
  return `at ${sinceLabel(Math.round((ms - startedAt) / 100) * 100, 100)}`;
}

function clockOf(ms: number): string {
  return new Date(ms).toLocaleTimeString("en-GB");
}
