import { type WireValue, wireFields } from "./wire.ts";

/**
 * OTLP requests in protobuf (opentelemetry-proto 1.x), with the same names as OTLP/JSON. Unneeded parts are skipped:
 * histograms, exemplars, trace ids. The few fields needed never change their numbers, so no library is used.
 */
type Fields = Record<string, unknown>;
type ReadField = (tag: number, value: WireValue, into: Fields, request: Progress) => void;
/** How deep the message being read is nested in its request, and how many messages have been read. */
type Progress = { depth: number; messages: number };

/** Parses an ExportLogsServiceRequest. Throws for invalid bytes, and for more than {@link messagesMax} messages. */
export function decodeLogs(bytes: Uint8Array): Fields {
  return message(bytes, list(1, "resourceLogs", resourceLogs), { depth: 0, messages: 0 });
}

/** {@link decodeLogs} for an ExportMetricsServiceRequest. */
export function decodeMetrics(bytes: Uint8Array): Fields {
  return message(bytes, list(1, "resourceMetrics", resourceMetrics), { depth: 0, messages: 0 });
}

/** {@link decodeLogs} for an ExportTraceServiceRequest, of whose spans only the number is needed. */
export function decodeTraces(bytes: Uint8Array): Fields {
  return message(bytes, list(1, "resourceSpans", resourceSpans), { depth: 0, messages: 0 });
}

/** Response to each request: empty, or how many records were left out and why (`partial_success`). */
export function encodeAnswer(leftOut: number, why: string): Uint8Array {
  if (leftOut === 0) return new Uint8Array();
  const text = Buffer.from(why);
  const inner = Buffer.concat([Buffer.from([0x08]), varint(leftOut), Buffer.from([0x12]), varint(text.length), text]);
  return Buffer.concat([Buffer.from([0x0a]), varint(inner.length), inner]);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Buffer.from([...bytes, rest]);
    bytes.push((rest % 128) + 128);
  }
}

const depthMax = 16;
/** The largest request that exporters make has fewer; empty messages take two bytes each, and next to nothing when zipped. */
const messagesMax = 250_000;

function message(bytes: Uint8Array, read: ReadField, request: Progress): Fields {
  if (request.depth > depthMax) throw new Error(`it is nested deeper than ${depthMax} messages`);
  if (request.messages >= messagesMax) throw new Error(`it has more than ${messagesMax} messages`);
  request.depth += 1;
  request.messages += 1;
  const fields: Fields = {};
  for (const { tag, value } of wireFields(bytes)) read(tag, value, fields, request);
  request.depth -= 1;
  return fields;
}

/** A field under its name. Malformed ones are skipped. */
function field(tag: number, name: string, read: (value: WireValue) => unknown): ReadField {
  return (found, value, into) => {
    const said = found === tag ? read(value) : undefined;
    if (said !== undefined) into[name] = said;
  };
}

function inner(tag: number, name: string, read: ReadField): ReadField {
  return (found, value, into, request) => {
    if (found === tag && value.kind === "bytes") into[name] = message(value.bytes, read, request);
  };
}

function list(tag: number, name: string, read: ReadField): ReadField {
  return (found, value, into, request) => {
    if (found !== tag || value.kind !== "bytes") return;
    const one = message(value.bytes, read, request);
    const known = into[name];
    if (Array.isArray(known)) known.push(one);
    else into[name] = [one];
  };
}

/** Readers per field; called lazily, for messages that contain themselves. */
function all(readers: () => ReadField[]): ReadField {
  let made: ReadField[] | null = null;
  return (tag, value, into, request) => {
    made ??= readers();
    for (const read of made) read(tag, value, into, request);
  };
}

const text = (value: WireValue) => (value.kind === "bytes" ? new TextDecoder().decode(value.bytes) : undefined);
const whole = (value: WireValue) => (value.kind === "varint" ? value.number : undefined);
const truth = (value: WireValue) => (value.kind === "varint" ? value.number !== 0 : undefined);
const double = (value: WireValue) => (value.kind === "fixed64" ? value.view.getFloat64(0, true) : undefined);
const signed = (value: WireValue) => (value.kind === "fixed64" ? Number(value.view.getBigInt64(0, true)) : undefined);
const time = (value: WireValue) => (value.kind === "fixed64" ? String(value.view.getBigUint64(0, true)) : undefined);

const anyValue: ReadField = all(() => [
  field(1, "stringValue", text),
  field(2, "boolValue", truth),
  field(3, "intValue", whole),
  field(4, "doubleValue", double),
  inner(5, "arrayValue", list(1, "values", anyValue)),
  inner(6, "kvlistValue", list(1, "values", keyValue)),
]);
const keyValue: ReadField = all(() => [field(1, "key", text), inner(2, "value", anyValue)]);
const resource = inner(1, "resource", list(1, "attributes", keyValue));

const logRecord = all(() => [
  field(1, "timeUnixNano", time),
  inner(5, "body", anyValue),
  list(6, "attributes", keyValue),
  field(11, "observedTimeUnixNano", time),
  field(12, "eventName", text),
]);
const resourceLogs = all(() => [resource, list(2, "scopeLogs", list(2, "logRecords", logRecord))]);

const dataPoint = all(() => [
  field(2, "startTimeUnixNano", time),
  field(3, "timeUnixNano", time),
  field(4, "asDouble", double),
  field(6, "asInt", signed),
  list(7, "attributes", keyValue),
]);
const points = list(1, "dataPoints", dataPoint);
const metric = all(() => [
  field(1, "name", text),
  inner(5, "gauge", points),
  inner(
    7,
    "sum",
    all(() => [points, field(2, "aggregationTemporality", whole)]),
  ),
]);
const resourceMetrics = all(() => [resource, list(2, "scopeMetrics", list(2, "metrics", metric))]);

const span: ReadField = () => {};
const resourceSpans = all(() => [list(2, "scopeSpans", list(2, "spans", span))]);
