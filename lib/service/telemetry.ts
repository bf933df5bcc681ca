import { ApiError } from "#lib/contract/error.ts";
import { protobufType, type RunTelemetry, type TelemetryAnswer } from "#lib/contract/logs/telemetry.ts";
import { type Paging, pageOf, rowsOf } from "#lib/contract/page.ts";
import { decodeLogs, decodeMetrics, encodeAnswer } from "#lib/otlp/decode-protobuf.ts";
import { logRecords, metricRecords, type TelemetryRecord } from "#lib/otlp/read-records.ts";
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

/** Stores events. */
export function postTelemetryLogs(context: OrganizationContext, { body }: Posted) {
  return keep(context, body, logRecords(requestOf(body)));
}

/** Stores metric points. */
export function postTelemetryMetrics(context: OrganizationContext, { body }: Posted) {
  return keep(context, body, metricRecords(requestOf(body)));
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
  return { success: true, message, received_count: records.length };
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
