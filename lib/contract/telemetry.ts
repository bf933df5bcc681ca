import { z } from "zod";
import { defineOperation, Id, O, OrgParams } from "./define-operation.ts";
import { Page, Paging } from "./page.ts";
import { Instant, JsonObject } from "./text.ts";

const tag = "Claude Code";
const bytesMax = 4 * 1024 * 1024;

/** The media type of OTLP in protobuf. */
export const protobufType = "application/x-protobuf";

const description =
  "For OpenTelemetry exporters of Claude Code: OTLP/HTTP as JSON or protobuf, with gzip or without. Set OTEL_EXPORTER_OTLP_ENDPOINT to …/v1/organizations/{org_id}/telemetry and the header Authorization. Records are kept beside the session that their `session.id` names, each once, the newest 5,000 of a session; they never become log entries; GET …/agent/run/{id}/telemetry reads them. Cost, and tokens where the session's lines tell none, become those of its run. Records without `session.id`, or of another person's session, are left out and the message says so.";

/** Answer to a request in JSON; one in protobuf is answered as OTLP says. */
export const TelemetryAnswer = z.object({
  success: z.boolean().describe("The request was taken"),
  message: z.string().describe("The outcome in words, with the records that were left out"),
  received_count: z.int().describe("How many records the request had"),
});
export type TelemetryAnswer = z.infer<typeof TelemetryAnswer>;

const shared = {
  tag,
  description,
  method: "POST",
  scope: "ingest:write",
  rateClass: "ingest",
  params: OrgParams,
  body: JsonObject,
  bodyBytesMax: bytesMax,
  otherBodies: [protobufType],
  result: TelemetryAnswer,
} as const;

export const postTelemetryLogs = defineOperation({
  ...shared,
  id: "postTelemetryLogs",
  path: `${O}/telemetry/v1/logs`,
  summary: "Post events of Claude Code (OTLP logs)",
});

export const postTelemetryMetrics = defineOperation({
  ...shared,
  id: "postTelemetryMetrics",
  path: `${O}/telemetry/v1/metrics`,
  summary: "Post metrics of Claude Code (OTLP metrics)",
});

export const getTelemetryHealth = defineOperation({
  id: "getTelemetryHealth",
  method: "GET",
  path: `${O}/telemetry/health`,
  tag,
  summary: "Whether telemetry would be taken",
  scope: "ingest:write",
  rateClass: "ingest",
  params: OrgParams,
  result: z.object({
    success: z.boolean().describe("Telemetry would be taken"),
    message: z.string().describe("The same in words"),
    status: z.literal("healthy").describe("Always healthy"),
  }),
});

/** One record of telemetry, as it is kept beside a run. */
export const TelemetryRecord = z.object({
  id: z.int().describe("The record's number; later ones are higher"),
  kind: z.enum(["event", "metric"]).describe("An event of OTLP logs, or one point of a metric"),
  name: z.string().describe("The event's or the metric's: `api_request`, `claude_code.token.usage` …"),
  at: Instant.describe("When it happened, or came where it does not tell"),
  value: z.number().nullable().describe("Of a metric; null for an event"),
  attributes: JsonObject.describe("What it tells beside, without what names the person"),
});
export type TelemetryRecord = z.infer<typeof TelemetryRecord>;

/** A page of the records of a run. */
export const RunTelemetry = Page(TelemetryRecord).extend({
  dropped: z.int().describe("How many more came and were dropped for newer ones; `total` counts those that are kept"),
});
export type RunTelemetry = z.infer<typeof RunTelemetry>;

export const listTelemetry = defineOperation({
  id: "listTelemetry",
  method: "GET",
  path: `${O}/agent/run/{agent_run_id}/telemetry`,
  tag,
  summary: "List the telemetry of a run",
  description:
    "The records that OpenTelemetry exporters of the run's Claude Code session posted, the one that came last first; the newest 5,000 are kept. A run that is no such session has none. They stand beside the log and are no entries of it.",
  scope: "runs:read",
  params: OrgParams.extend({ agent_run_id: Id }),
  query: Paging,
  result: RunTelemetry,
});
