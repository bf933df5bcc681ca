/** Attributes in the names of OTLP/JSON. */
export type Attribute = { key: string; value: Record<string, unknown> };
export type LogRecord = { timeUnixNano: string; body?: { stringValue: string }; attributes: Attribute[] };
export type Point = {
  timeUnixNano: string;
  startTimeUnixNano?: string;
  asDouble?: number;
  asInt?: string;
  attributes: Attribute[];
};

/** Attributes of plain values. */
export function attributesOf(values: Record<string, string | number | boolean>): Attribute[] {
  return Object.entries(values).map(([key, value]) => {
    if (typeof value === "string") return { key, value: { stringValue: value } };
    if (typeof value === "boolean") return { key, value: { boolValue: value } };
    return { key, value: Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value } };
  });
}

/** An ExportLogsServiceRequest in OTLP/JSON. */
export function logsRequest(logRecords: LogRecord[], resource: Attribute[] = []) {
  return { resourceLogs: [{ resource: { attributes: resource }, scopeLogs: [{ logRecords }] }] };
}

/** An ExportMetricsServiceRequest with one sum in OTLP/JSON. */
export function metricsRequest(name: string, dataPoints: Point[], aggregationTemporality = 1) {
  const metrics = [{ name, unit: "USD", sum: { dataPoints, aggregationTemporality, isMonotonic: true } }];
  return { resourceMetrics: [{ resource: { attributes: [] }, scopeMetrics: [{ metrics }] }] };
}

/** The same request in protobuf, by the field numbers of opentelemetry-proto 1.x; with fields that are ignored. */
export function logsInProtobuf({ resourceLogs }: ReturnType<typeof logsRequest>): Buffer {
  return joined(
    resourceLogs.map(({ resource, scopeLogs }) =>
      nested(
        1,
        nested(1, ...resource.attributes.map((one) => nested(1, attributeBytes(one)))),
        ...scopeLogs.map(({ logRecords }) =>
          nested(2, nested(1, textField(1, "events")), ...logRecords.map((record) => nested(2, recordBytes(record)))),
        ),
        textField(3, "https://opentelemetry.io/schemas/1.7.0"),
      ),
    ),
  );
}

/** {@link logsInProtobuf} for metrics, preceded by a histogram, which is ignored. */
export function metricsInProtobuf({ resourceMetrics }: ReturnType<typeof metricsRequest>): Buffer {
  const sumBytes = ({
    dataPoints,
    aggregationTemporality,
  }: {
    dataPoints: Point[];
    aggregationTemporality: number;
  }) => [
    ...dataPoints.map((point) => nested(1, pointBytes(point))),
    numberField(2, aggregationTemporality),
    numberField(3, 1),
  ];
  return joined(
    resourceMetrics.map(({ scopeMetrics }) =>
      nested(
        1,
        ...scopeMetrics.map(({ metrics }) =>
          nested(
            2,
            nested(2, nested(9, numberField(2, 1))),
            ...metrics.map(({ name, sum }) => nested(2, textField(1, name), nested(7, ...sumBytes(sum)))),
          ),
        ),
      ),
    ),
  );
}

/** A message inside another one, as its field `tag`. */
export function nested(tag: number, ...parts: Buffer[]): Buffer {
  const inside = joined(parts);
  return joined([varint(tag * 8 + 2), varint(inside.length), inside]);
}

function recordBytes({ timeUnixNano, body, attributes }: LogRecord): Buffer {
  const parts = [
    fixedField(1, timeUnixNano),
    numberField(2, 9),
    ...attributes.map((one) => nested(6, attributeBytes(one))),
  ];
  if (body !== undefined) parts.push(nested(5, valueBytes(body)));
  // Flags, in four bytes, and the id of a trace.
  return joined([...parts, Buffer.from([0x45, 1, 0, 0, 0]), nested(9, Buffer.alloc(16))]);
}

function pointBytes({ timeUnixNano, startTimeUnixNano, asDouble, asInt, attributes }: Point): Buffer {
  const parts = [fixedField(3, timeUnixNano), ...attributes.map((one) => nested(7, attributeBytes(one)))];
  if (startTimeUnixNano !== undefined) parts.push(fixedField(2, startTimeUnixNano));
  if (asDouble !== undefined) parts.push(doubleField(4, asDouble));
  if (asInt !== undefined) parts.push(fixedField(6, asInt));
  return joined(parts);
}

function attributeBytes({ key, value }: Attribute): Buffer {
  return joined([textField(1, key), nested(2, valueBytes(value))]);
}

function valueBytes(value: Record<string, unknown>): Buffer {
  if (typeof value.stringValue === "string") return textField(1, value.stringValue);
  if (typeof value.boolValue === "boolean") return numberField(2, value.boolValue ? 1 : 0);
  if (typeof value.intValue === "string") return numberField(3, value.intValue);
  return doubleField(4, Number(value.doubleValue));
}

function textField(tag: number, text: string): Buffer {
  return nested(tag, Buffer.from(text));
}

function numberField(tag: number, value: number | string): Buffer {
  return joined([varint(tag * 8), varint(value)]);
}

function fixedField(tag: number, value: string): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64LE(BigInt(value));
  return joined([varint(tag * 8 + 1), bytes]);
}

function doubleField(tag: number, value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(value);
  return joined([varint(tag * 8 + 1), bytes]);
}

function varint(value: number | string): Buffer {
  const bytes: number[] = [];
  for (let rest = BigInt.asUintN(64, BigInt(value)); ; rest >>= 7n) {
    if (rest < 128n) return Buffer.from([...bytes, Number(rest)]);
    bytes.push(Number(rest & 127n) + 128);
  }
}

function joined(parts: readonly Uint8Array[]): Buffer {
  return Buffer.concat(parts);
}
