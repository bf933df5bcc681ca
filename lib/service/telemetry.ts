import { ApiError } from "#lib/contract/error.ts";
import { protobufType, type RunTelemetry, type TelemetryAnswer } from "#lib/contract/logs/telemetry.ts";
import { type Paging, pageOf, rowsOf } from "#lib/contract/page.ts";
import { decodeLogs, decodeMetrics, decodeTraces, encodeAnswer } from "#lib/otlp/decode-protobuf.ts";
import { countSpans, logRecords, metricRecords, type TelemetryRecord } from "#lib/otlp/read-records.ts";
import { Binary } from "./reply.ts";
import { findRun } from "./runs.ts";
import type { OrganizationContext } from "./service-context.ts";

/** Converts a protobuf request to the names of OTLP/JSON. */
export class DecodedTelemetry {
  readonly request: Record<string, unknown>;

  constructor(request: Record<string, unknown>) {
    this.request = request;
  }
}

type Body = Record<string, unknown> | DecodedTelemetry;
type Posted = { body: Body };

/** Reads a protobuf body; null if it has another type. Throws 400 if it is not valid. */
export const readLogs = reader(decodeLogs);
/** {@link readLogs} for metrics. */
export const readMetrics = reader(decodeMetrics);
/** {@link readLogs} for traces. */
export const readTraces = reader(decodeTraces);

/** Stores events. */
export function postTelemetryLogs(context: OrganizationContext, { body }: Posted) {
  return keep(context, body, logRecords(requestOf(body)), "rejectedLogRecords");
}

/** Stores metric points. */
export function postTelemetryMetrics(context: OrganizationContext, { body }: Posted) {
  return keep(context, body, metricRecords(requestOf(body)), "rejectedDataPoints");
}

/** Leaves all spans out, and says so. */
export function postTelemetryTraces(_: OrganizationContext, { body }: Posted): TelemetryAnswer | Binary {
  const count = countSpans(requestOf(body));
  const why = "Errand stores no spans: report entries of an external run, or events and metrics of Claude Code";
  return body instanceof DecodedTelemetry
    ? new Binary(protobufType, encodeAnswer(count, why))
    : { success: true, message: `${why}.`, received_count: count, ...partial("rejectedSpans", count, why) };
}

/** Says that telemetry is accepted: callers who may not post it are refused earlier. */
export function getTelemetryHealth() {
  return { success: true, message: "Telemetry is accepted.", status: "healthy" } as const;
}

/** Records stored with a run, latest arrival first. */
export async function listTelemetry(
  context: OrganizationContext,
  { params, query }: { params: { agent_run_id: number }; query: Paging },
): Promise<RunTelemetry> {
  const rows = rowsOf(query);
  const run = await findRun(context, params.agent_run_id);
  const { items, total, dropped } = await context.store.claudeTelemetry.list(context.access, run.id, rows);
  return { ...pageOf(items, total, rows), dropped };
}

async function keep(
  { store, access }: OrganizationContext,
  body: Body,
  records: TelemetryRecord[],
  rejected: Rejected,
): Promise<TelemetryAnswer | Binary> {
  const { leftOut, repeated } = await store.claudeTelemetry.keep(access, records);
  const left = `${leftOut} without session.id or of another person's session ${leftOut === 1 ? "was" : "were"} left out`;
  if (body instanceof DecodedTelemetry) return new Binary(protobufType, encodeAnswer(leftOut, left));
  const came = `${repeated} had been received before and ${repeated === 1 ? "was" : "were"} not counted again`;
  const notes = [...(leftOut === 0 ? [] : [left]), ...(repeated === 0 ? [] : [came])];
  const message =
    notes.length === 0
      ? "All records were stored."
      : `Of ${records.length} ${records.length === 1 ? "record" : "records"}, ${notes.join(", ")}.`;
  return { success: true, message, received_count: records.length, ...partial(rejected, leftOut, left) };
}

type Rejected = "rejectedLogRecords" | "rejectedDataPoints" | "rejectedSpans";

/** JSON writes 64-bit numbers as text. */
function partial(rejected: Rejected, leftOut: number, errorMessage: string): Pick<TelemetryAnswer, "partialSuccess"> {
  return leftOut === 0 ? {} : { partialSuccess: { [rejected]: String(leftOut), errorMessage } };
}

function requestOf(body: Body): unknown {
  return body instanceof DecodedTelemetry ? body.request : body;
}

function reader(decode: (bytes: Uint8Array) => Record<string, unknown>) {
  return (bytes: Uint8Array, type: string | null): DecodedTelemetry | null => {
    if (type?.split(";")[0]?.trim().toLowerCase() !== protobufType) return null;
    try {
      return new DecodedTelemetry(decode(bytes));
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : "it cannot be read";
      const msg = `The body is not an OTLP request in protobuf: ${reason}.`;
      throw new ApiError("bad_request", msg, { fields: [{ loc: ["body"], msg, type: "body_invalid" }], cause });
    }
  };
}
