import { fieldsOf, numberOf, textField } from "#lib/contract/json-fields.ts";
import { cutText } from "#lib/cut-text.ts";

export type AttributeValue = string | number | boolean;

/** One telemetry record: an event, or one point of a metric. */
export type TelemetryRecord = {
  kind: "event" | "metric";
  name: string;
  /** Milliseconds since 1970; null if unknown. */
  atMs: number | null;
  /** The same in nanoseconds, in digits: a number would not hold it. */
  atNs: string | null;
  /** For a point of a sum: milliseconds since 1970 at which its series began; null if unknown. */
  startedMs: number | null;
  /** The `session.id` of the record, or of its resource. */
  sessionId: string | null;
  attributes: Record<string, AttributeValue>;
  /** Value of a metric; null for events. */
  value: number | null;
  /** Whether `value` is the sum since the start of the series, not since the previous record. */
  isCumulative: boolean;
};

const namesMax = 64;
const textMax = 1_000;
/** Attributes that identify the person are dropped: it is known who posted them. */
const personal = /^(?:user\.(?:email|id|account_uuid|account_id|name)|organization\.id|terminal\.id)$/;

/** Records of an ExportLogsServiceRequest, in the names of OTLP/JSON. Anything malformed is skipped. */
export function logRecords(request: unknown): TelemetryRecord[] {
  return listIn(request, "resourceLogs").flatMap((resourceLogs) => {
    const shared = attributesOf(fieldsOf(fieldsOf(resourceLogs).resource).attributes);
    return listIn(resourceLogs, "scopeLogs")
      .flatMap((scope) => listIn(scope, "logRecords"))
      .map((value) => {
        const record = fieldsOf(value);
        const own = attributesOf(record.attributes);
        const name =
          textOf(own["event.name"]) ?? textField(record, "eventName") ?? textOf(scalarOf(record.body)) ?? "event";
        const at = nanosecondsOf(record.timeUnixNano) ?? nanosecondsOf(record.observedTimeUnixNano);
        return recordOf({ kind: "event", name, at, started: null, own, shared, value: null, isCumulative: false });
      });
  });
}

/** Points of sums and gauges of an ExportMetricsServiceRequest. */
export function metricRecords(request: unknown): TelemetryRecord[] {
  return listIn(request, "resourceMetrics").flatMap((resourceMetrics) => {
    const shared = attributesOf(fieldsOf(fieldsOf(resourceMetrics).resource).attributes);
    return listIn(resourceMetrics, "scopeMetrics")
      .flatMap((scope) => listIn(scope, "metrics"))
      .flatMap((value) => {
        const metric = fieldsOf(value);
        const sum = fieldsOf(metric.sum);
        const isCumulative = sum.aggregationTemporality === 2 || sum.aggregationTemporality === cumulative;
        return [...listIn(metric.sum, "dataPoints"), ...listIn(metric.gauge, "dataPoints")].map((point) => {
          const { asDouble, asInt, timeUnixNano, startTimeUnixNano, attributes } = fieldsOf(point);
          return recordOf({
            kind: "metric",
            name: textField(metric, "name") ?? "metric",
            at: nanosecondsOf(timeUnixNano),
            started: nanosecondsOf(startTimeUnixNano),
            own: attributesOf(attributes),
            shared,
            value: otlpNumberOf(asDouble) ?? otlpNumberOf(asInt),
            isCumulative,
          });
        });
      });
  });
}

/** Number of spans of an ExportTraceServiceRequest. */
export function countSpans(request: unknown): number {
  return listIn(request, "resourceSpans")
    .flatMap((resourceSpans) => listIn(resourceSpans, "scopeSpans"))
    .reduce<number>((count, scope) => count + listIn(scope, "spans").length, 0);
}

const cumulative = "AGGREGATION_TEMPORALITY_CUMULATIVE";

type Attributes = Record<string, AttributeValue>;

function recordOf({
  own,
  shared,
  name,
  at,
  started,
  ...record
}: Pick<TelemetryRecord, "kind" | "name" | "value" | "isCumulative"> & {
  at: bigint | null;
  started: bigint | null;
  own: Attributes;
  shared: Attributes;
}): TelemetryRecord {
  const sessionId = textOf(own["session.id"] ?? shared["session.id"])?.toLowerCase() ?? null;
  const kept = Object.entries(own).filter(([key]) => key !== "session.id" && !personal.test(key));
  return {
    ...record,
    name: storable(name),
    atMs: millisecondsOf(at),
    atNs: at === null ? null : String(at),
    startedMs: millisecondsOf(started),
    sessionId,
    attributes: Object.fromEntries(kept),
  };
}

function attributesOf(value: unknown): Attributes {
  const found: [string, AttributeValue][] = [];
  for (const attribute of (Array.isArray(value) ? value : []).slice(0, namesMax)) {
    const key = textField(fieldsOf(attribute), "key");
    const read = scalarOf(fieldsOf(attribute).value);
    if (key !== null && read !== null) found.push([storable(key), typeof read === "string" ? storable(read) : read]);
  }
  return Object.fromEntries(found);
}

/** A text, number or boolean; other values as JSON. */
function scalarOf(value: unknown): AttributeValue | null {
  const { stringValue, boolValue, intValue, doubleValue, arrayValue, kvlistValue } = fieldsOf(value);
  if (typeof stringValue === "string") return stringValue;
  if (typeof boolValue === "boolean") return boolValue;
  const number = otlpNumberOf(intValue) ?? otlpNumberOf(doubleValue);
  if (number !== null) return number;
  const inner = arrayValue ?? kvlistValue;
  return inner === undefined ? null : JSON.stringify(inner);
}

/** OTLP/JSON writes 64-bit integers as text. */
function otlpNumberOf(value: unknown): number | null {
  return numberOf(typeof value === "string" && /^-?\d{1,20}$/.test(value) ? Number(value) : value);
}

/** The last time with a four-digit year. */
const latest = Date.parse("9999-12-31T23:59:59.999Z");

/** A time within the years up to 9999, written as a text or as a JSON number. */
function nanosecondsOf(value: unknown): bigint | null {
  const number = otlpNumberOf(value);
  if (number === null || number <= 0 || number >= (latest + 1) * 1e6) return null;
  return BigInt(typeof value === "number" || !/^\d+$/.test(String(value)) ? Math.trunc(number) : String(value));
}

function millisecondsOf(nanoseconds: bigint | null): number | null {
  return nanoseconds === null ? null : Number(nanoseconds / 1_000_000n);
}

function textOf(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? storable(value) : null;
}

function storable(text: string): string {
  return cutText(text.replaceAll("\u0000", ""), textMax);
}

function listIn(value: unknown, name: string): unknown[] {
  const list = fieldsOf(value)[name];
  return Array.isArray(list) ? list : [];
}
