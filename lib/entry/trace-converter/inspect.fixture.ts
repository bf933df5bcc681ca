import { inflateRawSync } from "node:zlib";
import { fieldsOf } from "#lib/contract/json-fields.ts";
import type { NewEntry } from "#lib/contract/logs/entry.ts";
import { arrayOf, parsedArguments, TraceBuilder, wordsOf } from "./trace-builder.fixture.ts";

/** Samples of an Inspect evaluation log, JSON or `.eval`: each is a run. */
export function inspectRuns(file: Buffer): { name: string; entries: NewEntry[] }[] {
  return samplesOf(file).map((sample) => ({
    name: `${String(sample.id)} ${String(sample.epoch)}`,
    entries: sampleEntries(sample),
  }));
}

function sampleEntries(sample: Record<string, unknown>): NewEntry[] {
  const builder = new TraceBuilder();
  const attachments = fieldsOf(sample.attachments);
  const whole = (value: unknown): unknown => {
    if (typeof value !== "string" || !value.startsWith("attachment://")) return value;
    return attachments[value.slice("attachment://".length)] ?? value;
  };
  const tools = arrayOf(sample.events)
    .map(fieldsOf)
    .filter(({ event }) => event === "tool");
  for (const value of arrayOf(sample.messages)) {
    const message = fieldsOf(value);
    if (message.role === "user") builder.person(whole(message.content));
    else if (message.role === "assistant") {
      builder.says(String(whole(wordsOf(message.content))));
      for (const call of arrayOf(message.tool_calls).map(fieldsOf)) {
        const { timestamp } = tools.find(({ id }) => id === call.id) ?? {};
        const input = parsedArguments(call.arguments);
        builder.call({ id: String(call.id), name: String(call.function), input, time: timestamp });
      }
    } else if (message.role === "tool") {
      const { content, error } = message;
      const output = { content: whole(content), ...(error === undefined || error === null ? {} : { error }) };
      const id = String(message.tool_call_id);
      if (builder.answer(id, output)) continue;
      // A recorded answer whose call is not in the log.
      builder.call({ id, name: String(message.function), input: {} });
      builder.answer(id, output);
    }
  }
  if (sample.error) builder.error(String(fieldsOf(sample.error).message), undefined);
  return builder.finish();
}

function samplesOf(file: Buffer): Record<string, unknown>[] {
  if (file.toString("latin1", 0, 2) !== "PK")
    return arrayOf(fieldsOf(JSON.parse(file.toString())).samples).map(fieldsOf);
  return [...zipMembers(file)].flatMap(({ name, bytes }) =>
    name.startsWith("samples/") ? [fieldsOf(JSON.parse(bytes().toString()))] : [],
  );
}

/** Members of a ZIP file by its central directory; only stored and deflated ones can be read. */
function* zipMembers(file: Buffer): Generator<{ name: string; bytes: () => Buffer }> {
  const end = file.lastIndexOf("PK\u0005\u0006", undefined, "latin1");
  let at = file.readUInt32LE(end + 16);
  for (let count = file.readUInt16LE(end + 10); count > 0; count -= 1) {
    const method = file.readUInt16LE(at + 10);
    const size = file.readUInt32LE(at + 20);
    const nameLength = file.readUInt16LE(at + 28);
    const start = file.readUInt32LE(at + 42);
    const name = file.toString("utf8", at + 46, at + 46 + nameLength);
    const from = start + 30 + file.readUInt16LE(start + 26) + file.readUInt16LE(start + 28);
    const packed = file.subarray(from, from + size);
    yield { name, bytes: () => (method === 0 ? packed : inflateRawSync(packed)) };
    at += 46 + nameLength + file.readUInt16LE(at + 30) + file.readUInt16LE(at + 32);
  }
}
