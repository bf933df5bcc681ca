import type { AttributeValue, TelemetryRecord } from "#lib/otlp/read-records.ts";

type Figures = { count: number; cost: number; input: number; output: number };

/** Cost and tokens of a session, from events and from metrics: both cover the same requests. */
export type TelemetrySums = { events: Figures; metrics: Figures };

/** The newest point of a cumulative series. */
export type SeriesPoint = { startedMs: number | null; atMs: number; value: number };

const none: Figures = { count: 0, cost: 0, input: 0, output: 0 };
export const noSums: TelemetrySums = { events: none, metrics: none };

/**
 * Adds one record to the sums: the event `api_request`, and the metrics `claude_code.cost.usage` and `claude_code.token.usage`
 * (Claude Code's "Monitoring usage"). `last` is the newest point of its series before, if that is cumulative.
 */
export function addedSums(sums: TelemetrySums, record: TelemetryRecord, last: SeriesPoint | null): TelemetrySums {
  const { attributes } = record;
  if (record.kind === "event") {
    if (!/(?:^|\.)api_request$/.test(record.name)) return sums;
    const number = (name: string) => amount(attributes[name]);
    const input = number("input_tokens") + number("cache_read_tokens") + number("cache_creation_tokens");
    return { ...sums, events: plus(sums.events, number("cost_usd"), input, number("output_tokens")) };
  }
  const grown = grownSince(record, last);
  if (record.name === "claude_code.cost.usage") return { ...sums, metrics: plus(sums.metrics, grown, 0, 0) };
  if (record.name !== "claude_code.token.usage") return sums;
  const isOutput = attributes.type === "output";
  return { ...sums, metrics: plus(sums.metrics, 0, isOutput ? 0 : grown, isOutput ? grown : 0) };
}

/** How much a point adds to its series. One that arrives late adds nothing: a newer point has counted it already. */
function grownSince(record: TelemetryRecord, last: SeriesPoint | null): number {
  const value = amount(record.value);
  if (!record.isCumulative || last === null) return value;
  if (isLate(record, last)) return 0;
  if (hasRestarted(record, last)) return value;
  if (value >= last.value) return value - last.value;
  // Without a known start, a later and lower value shows a new one.
  return record.atMs === null || record.atMs > last.atMs ? value : 0;
}

/** Whether a point is older than the newest of its series. */
export function isLate({ atMs, startedMs }: Pick<TelemetryRecord, "atMs" | "startedMs">, last: SeriesPoint): boolean {
  if (startedMs !== null && last.startedMs !== null && startedMs !== last.startedMs) return startedMs < last.startedMs;
  return atMs !== null && atMs < last.atMs;
}

function hasRestarted({ startedMs }: TelemetryRecord, last: SeriesPoint): boolean {
  return startedMs !== null && last.startedMs !== null && startedMs > last.startedMs;
}

/** Totals of the session: from events, or else from metrics; null for values in neither. */
export function reportedSums({ events, metrics }: TelemetrySums): {
  costUsd: number | null;
  tokens: { input: number; output: number } | null;
} {
  const { count, cost, input, output } = events.count > 0 ? events : metrics;
  if (count === 0) return { costUsd: null, tokens: null };
  const tokens = { input: Math.round(input), output: Math.round(output) };
  return {
    costUsd: cost > 0 ? Math.round(cost * 1e6) / 1e6 : null,
    tokens: tokens.input + tokens.output > 0 ? tokens : null,
  };
}

function plus({ count, ...figures }: Figures, cost: number, input: number, output: number): Figures {
  return {
    count: count + 1,
    cost: figures.cost + cost,
    input: figures.input + input,
    output: figures.output + output,
  };
}

/** Older versions write numbers as text. Anything that cannot be a cost or a count is 0. */
export function amount(value: AttributeValue | null | undefined): number {
  const number = typeof value === "string" ? Number(value) : value;
  return typeof number === "number" && number > 0 && number < 1e12 ? number : 0;
}
