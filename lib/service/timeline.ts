import {
  idleMsMin,
  spansMax,
  spanToolCharactersMax,
  stretchesMax,
  type Timeline,
  type TimelinePart,
  type TimelineQuery,
  type TimelineSpan,
} from "#lib/contract/logs/timeline.ts";
import type { StatusStyle } from "#lib/contract/people/token.ts";
import { kinds } from "#lib/store/entries/entry-blocks.ts";
import type { Access } from "#lib/store/runs/access.ts";
import type { RunTimes } from "#lib/store/runs/run-times.ts";
import type { RunRow, Store } from "#lib/store/store.ts";
import { statusWord } from "./present-run.ts";
import { Tagged } from "./reply.ts";
import { findRun } from "./runs.ts";
import type { OrganizationContext, ServiceContext } from "./service-context.ts";
import { type FoldedParts, foldParts, kindCodes } from "./timeline/fold-parts.ts";
import { longestWithin } from "./timeline/gaps.ts";
import { lanesOf, placesIn } from "./timeline/lay-spans.ts";
import { partBounds } from "./timeline/part-bounds.ts";
import { regionsOf } from "./timeline/regions.ts";
import { type RunSpan, runSpanOf } from "./timeline/run-span.ts";
import { at, type Span, type Steps, stepsBetween } from "./timeline/steps.ts";
import { use, useNames } from "./timeline/sweep.ts";

/** Beyond this many turns or questions, the rest is left out. */
const timesMax = 10_000;
const kindsByCode = new Map(kinds.map((kind) => [kind.code, kind]));

/** Activity in a range of a run's time. */
export async function getTimeline(
  context: OrganizationContext,
  { params, query }: { params: { agent_run_id: number }; query: TimelineQuery },
): Promise<Tagged> {
  const run = await findRun(context, params.agent_run_id);
  return new Tagged(await timelineOf(context, context.access, run, query, { style: context.caller.statusStyle }));
}

/**
 * {@link getTimeline} of a run already found with this access; limited to entries between two seqs if given. Statuses of
 * turns are in `style`'s vocabulary, by default Errand's.
 */
export async function timelineOf(
  { store, caches, now }: Pick<ServiceContext, "store" | "caches" | "now">,
  access: Access,
  run: RunRow,
  query: TimelineQuery,
  { entries, style = "errand" }: { entries?: { first: number; last: number }; style?: StatusStyle },
): Promise<Timeline> {
  const all = await caches.steps.of(access, run.id, run.totalLogs);
  const steps = entries === undefined ? all : stepsBetween(all, entries.first, entries.last);
  const span = runSpanOf(run, steps, now().getTime(), entries !== undefined);
  const times = span.isImported ? null : await store.runs.findTimes(access, run.id, timesMax);
  const { from, to } = rangeOf(query, span);
  const { stretches, idle } = caches.sweeps.of({
    steps,
    run: span,
    regions: regionsOf(times === null ? null : spansOf(times.turns), spansOf(times?.waits ?? [])),
    runningFrom: span.isLive ? await runningFrom(store, access, run.id) : null,
    idleMsMin,
  });
  const gaps = longestWithin(idle, { from, to }, { most: stretchesMax, lengthMin: idleMsMin });
  const bounds = partBounds({ from, to }, query.buckets, query.skip_idle ? gaps : []);
  return {
    total_logs: steps.count,
    run_from: instant(span.from),
    run_to: instant(span.to),
    is_live: span.isLive,
    from: instant(from),
    to: instant(to),
    parts: presentParts(foldParts(steps, stretches, bounds), bounds, steps),
    turns: within(times?.turns ?? [], { from, to }).map(({ status, ...turn }) => ({
      ...turn,
      status: status === null ? null : statusWord(status, style),
    })),
    waits: within(times?.waits ?? [], { from, to }),
    gaps: gaps.map((gap) => ({ from: instant(gap.from), to: instant(gap.to) })),
    spans: await presentSpans(steps, { from, to }, () => store.entries.tools(access, run.id)),
  };
}

function rangeOf(query: TimelineQuery, run: RunSpan): Span {
  const from = query.from === undefined ? run.from : Date.parse(query.from);
  const to = query.to === undefined ? run.to : Date.parse(query.to);
  // One end alone may lie beyond the run's other end.
  return query.to === undefined ? { from, to: Math.max(from, to) } : { from: Math.min(from, to), to };
}

/** When the running tool started, or null. */
async function runningFrom(store: Store, access: Access, runId: number): Promise<number | null> {
  const progress = await store.runs.findProgress(access, runId);
  const begins = (progress?.tools ?? []).map((tool) => Date.parse(tool.started_at)).filter(Number.isFinite);
  return begins.length === 0 ? null : Math.min(...begins);
}

function spansOf(stretches: readonly { from: string; to: string | null }[]): Span[] {
  return stretches.map(({ from, to }) => ({
    from: Date.parse(from),
    to: to === null ? Number.POSITIVE_INFINITY : Date.parse(to),
  }));
}

/** The newest ones that overlap the range. */
function within<S extends RunTimes["waits"][number]>(stretches: readonly S[], range: Span): S[] {
  return stretches
    .filter(({ from, to }) => Date.parse(from) <= range.to && (to === null || Date.parse(to) >= range.from))
    .slice(-stretchesMax);
}

function presentParts(
  { kinds, times, timedCalls, firsts, lasts }: FoldedParts,
  bounds: Float64Array,
  steps: Steps,
): TimelinePart[] {
  return Array.from(firsts, (first, part) => {
    const counts: TimelinePart["counts"] = {};
    let errors = 0;
    for (const { code, messageType, isError } of kindsByCode.values()) {
      const count = at(kinds, part * kindCodes + code);
      if (count === 0) continue;
      counts[messageType] = (counts[messageType] ?? 0) + count;
      if (isError) errors += count;
    }
    const spent = (one: number) => at(times, part * useNames.length + one);
    const last = lasts[part] ?? -1;
    return {
      from: instant(at(bounds, part)),
      counts,
      errors,
      tool_ms: spent(use.tool),
      thinking_ms: spent(use.thinking),
      waiting_ms: spent(use.waiting),
      idle_ms: spent(use.idle),
      timed_calls: timedCalls[part] ?? 0,
      first_seq: first === -1 ? null : steps.firstSeq + first,
      last_seq: last === -1 ? null : steps.firstSeq + last,
    };
  });
}

async function presentSpans(
  steps: Steps,
  range: Span,
  readTools: () => Promise<string[]>,
): Promise<TimelineSpan[] | null> {
  const places = placesIn(steps, range, spansMax);
  if (places === null) return null;
  const kindAt = (place: number) => kindsByCode.get(at(steps.kinds, place));
  const lanes = lanesOf(
    steps,
    places.filter((place) => kindAt(place)?.messageType === "ACTION"),
  );
  const names = await readTools();
  return places.map((place) => {
    const kind = kindAt(place);
    const name = names[at(steps.tools, place)] ?? "";
    return {
      seq: steps.firstSeq + place,
      at: instant(at(steps.times, place)),
      duration_ms: at(steps.durations, place),
      message_type: kind?.messageType ?? "",
      tool_name: name === "" ? null : name.slice(0, spanToolCharactersMax),
      is_error: kind?.isError ?? false,
      lane: lanes.get(place) ?? null,
    };
  });
}

function instant(ms: number): string {
  return new Date(ms).toISOString();
}
