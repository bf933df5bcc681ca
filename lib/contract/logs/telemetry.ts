import { z } from "zod";
import { defineOperation, OrgParams, RunParams } from "#lib/contract/define-operation.ts";
import { Page, Paging } from "#lib/contract/page.ts";
import { Instant, JsonObject } from "#lib/contract/text.ts";

/** Maximum size of a body of telemetry, in bytes, unzipped. */
export const telemetryBytesMax = 4 * 1024 * 1024;

/** The media type of OTLP in protobuf. */
export const protobufType = "application/x-protobuf";

const description =
  "For OpenTelemetry exporters of Claude Code: OTLP/HTTP as JSON or protobuf (at most 250,000 messages, nested ones included), with or without gzip. Set OTEL_EXPORTER_OTLP_ENDPOINT to …/v1/organizations/{org_id}/telemetry and the header Authorization. Records are stored with the session named by their `session.id`, each once, the newest 5,000 per session; they never become log entries; GET …/agent/run/{id}/telemetry returns them. Cost, and tokens if the session's lines have none, are added to its run. Records without `session.id`, or of another person's session, are left out, and the message says so. Records whose session has no run are deleted after seven days.";

/** Response to a JSON request; a protobuf request is answered as OTLP specifies. */
export const TelemetryAnswer = z.object({
  success: z.boolean().describe("Whether the request was accepted"),
  message: z.string().describe("The outcome in words, with the number of records left out"),
  received_count: z.int().describe("Number of records in the request"),
  partialSuccess: z
    .object({
      rejectedLogRecords: z.string().optional().describe("Number of events that were left out"),
      rejectedDataPoints: z.string().optional().describe("Number of points of metrics that were left out"),
      rejectedSpans: z.string().optional().describe("Number of spans that were left out"),
      errorMessage: z.string().describe("Why"),
    })
    .optional()
    .describe("Records that were left out, as OTLP says it; absent if none were"),
});
z.globalRegistry.add(TelemetryAnswer, { example: { message: "25 records were kept.", received_count: 25 } });
export type TelemetryAnswer = z.infer<typeof TelemetryAnswer>;

const shared = {
  description,
  scope: "ingest:write",
  rateClass: "ingest",
  params: OrgParams,
  bodyBytesMax: telemetryBytesMax,
  otherBodies: [protobufType],
  result: TelemetryAnswer,
} as const;

export const postTelemetryLogs = defineOperation({
  ...shared,
  id: "postTelemetryLogs",
  summary: "Post events of Claude Code (OTLP logs)",
  body: JsonObject.meta({ example: { resourceLogs: [] } }),
  idempotent: "repeatable",
});

export const postTelemetryMetrics = defineOperation({
  ...shared,
  id: "postTelemetryMetrics",
  summary: "Post metrics of Claude Code (OTLP metrics)",
  body: JsonObject.meta({ example: { resourceMetrics: [] } }),
  idempotent: "repeatable",
});

export const postTelemetryTraces = defineOperation({
  ...shared,
  id: "postTelemetryTraces",
  summary: "Post traces (OTLP), which are not stored",
  description:
    "For OpenTelemetry exporters that send everything to one address. All spans are left out; `partialSuccess` gives their number.",
  body: JsonObject.meta({ example: { resourceSpans: [] } }),
  idempotent: "repeatable",
});

export const getTelemetryHealth = defineOperation({
  id: "getTelemetryHealth",
  summary: "Check whether telemetry would be accepted",
  scope: "ingest:write",
  rateClass: "ingest",
  params: OrgParams,
  result: z.object({
    success: z.boolean().describe("Whether telemetry would be accepted"),
    message: z.string().describe("The answer in words").meta({ example: "Telemetry is accepted." }),
    status: z.literal("healthy").describe("Always healthy"),
  }),
});

/** A telemetry record, stored with a run. */
export const TelemetryRecord = z.object({
  id: z.int().describe("The record's number; later ones are higher"),
  kind: z.enum(["event", "metric"]).describe("An event of OTLP logs, or one point of a metric"),
  name: z.string().describe("Name of the event or metric: `api_request`, `claude_code.token.usage` …"),
  at: Instant.describe("When it happened, or arrived if that is not known"),
  value: z.number().nullable().describe("Value of a metric; null for an event").meta({ example: 1200 }),
  attributes: JsonObject.describe("Its other attributes, without those that identify the person"),
});
z.globalRegistry.add(TelemetryRecord, {
  example: { kind: "metric", name: "claude_code.token.usage", attributes: { type: "input", model: "opus" } },
});
export type TelemetryRecord = z.infer<typeof TelemetryRecord>;

/** A page of the records of a run. */
export const RunTelemetry = Page(TelemetryRecord).extend({
  dropped: z.int().describe("How many more arrived and were dropped for newer ones; `total` counts the stored ones"),
});
z.globalRegistry.add(RunTelemetry, { example: { dropped: 0 } });
export type RunTelemetry = z.infer<typeof RunTelemetry>;

export const listTelemetry = defineOperation({
  id: "listTelemetry",
  summary: "List the telemetry of a run",
  description:
    "Records that OpenTelemetry exporters of the run's Claude Code session posted, the latest first; the newest 5,000 are kept. A run that is not such a session has none. They are not log entries.",
  scope: "runs:read",
  params: RunParams,
  query: Paging,
  result: RunTelemetry,
});
