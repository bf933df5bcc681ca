import { isUtf8 } from "node:buffer";
import {
  type LongField,
  MessageType,
  missingField,
  type RawEntry,
  toolCallIdMax,
  toolNameMax,
} from "#lib/contract/entry.ts";
import { batchEntriesMax, entryFieldsIgnored } from "#lib/contract/ingest.ts";
import { jsonDepthMax } from "#lib/contract/text.ts";
import { outcomeFields } from "#lib/entry/outcome.ts";
import { endOfObject, endOfText, endOfValue, unread } from "./json-ends.ts";
import { endsOfJsonText } from "./json-text-ends.ts";

/** Entries of a batch with their long fields as sent. */
export type RawBatch = { raw: ReportedEntry[] };

/** `created_at` null: now. */
export type ReportedEntry = Omit<RawEntry, "created_at"> & { created_at: string | null };

/**
 * Reads the body of appendLogs without building its values, which would cost more than storing them. Accepts only valid
 * JSON on one line in the usual form, as nearly all is; null for anything else, which then goes through the schema that
 * says what is wrong.
 */
export function readBatch(body: Uint8Array): RawBatch | null {
  if (!isUtf8(body)) return null;
  const json = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const read = readLine(json);
  // The schema would drop this name.
  return read === null && json.includes("__proto__") ? readLine(rewritten(json)) : read;
}

/** The same value on one line; empty if the text is not JSON. */
function rewritten(json: Buffer): Buffer {
  try {
    return Buffer.from(JSON.stringify(JSON.parse(json.toString())));
  } catch {
    return Buffer.alloc(0);
  }
}

function readLine(json: Buffer): RawBatch | null {
  let raw: ReportedEntry[] | null = null;
  const end = endOfObject(json, 0, (start, nameStart, nameEnd) => {
    if (nameOf(json, nameStart, nameEnd) !== "entries") return unread;
    raw = [];
    return readEntries(json, start, raw);
  });
  return end === json.length && raw !== null ? { raw } : null;
}

/** How many arrays and objects may still be nested inside. */
const depths = { entry: jsonDepthMax - 3, tool: jsonDepthMax - 4 };

/** Returns the end of the array, or {@link unread}. */
function readEntries(json: Buffer, start: number, raw: ReportedEntry[]): number {
  if (json[start] !== openBracket) return unread;
  for (let at = start + 1; raw.length < batchEntriesMax; at += 1) {
    while (json[at] === space) at += 1;
    const fields = new Fields();
    at = endOfObject(json, at, (value, nameStart, nameEnd) =>
      fields.read(json, nameOf(json, nameStart, nameEnd), value),
    );
    const entry = at === unread ? null : fields.entry();
    if (entry === null) return unread;
    raw.push(entry);
    while (json[at] === space) at += 1;
    if (json[at] === closeBracket) return at + 1;
    if (json[at] !== comma) return unread;
  }
  return unread;
}

const messageTypes = new Map<string, MessageType>(MessageType.options.map((type) => [type, type]));
const instant =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/** Fields of one entry; if a name occurs twice, the last one counts. */
class Fields {
  #messageType: MessageType | null = null;
  #createdAt: string | null = null;
  #toolCallId: string | null = null;
  #toolName: string | null = null;
  readonly #long: { [field in LongField]: Buffer | null } = {
    thought: null,
    tool_input: null,
    tool_output: null,
    observation: null,
  };
  #outcome: Record<string, unknown> = {};

  /** Returns the end of the value, or {@link unread}. */
  read(json: Buffer, name: string, start: number): number {
    if (name === "tool_output") return this.#readOutput(json, start);
    const end = endOfValue(json, start, depths.entry);
    if (end === unread) return unread;
    switch (name) {
      case "message_type": {
        this.#messageType = messageTypes.get(textOf(json, start, end) ?? "") ?? null;
        return this.#messageType === null ? unread : end;
      }
      case "created_at":
        this.#createdAt = textOf(json, start, end);
        return isNull(json, start) || isInstant(this.#createdAt) ? end : unread;
      case "tool_call_id":
        this.#toolCallId = textOf(json, start, end);
        return isNull(json, start) || isNamed(this.#toolCallId, toolCallIdMax) ? end : unread;
      case "tool_name":
        this.#toolName = textOf(json, start, end);
        return isNull(json, start) || isNamed(this.#toolName, toolNameMax) ? end : unread;
      case "thought":
      case "tool_input":
      case "observation": {
        const first = json[start];
        const fits =
          isNull(json, start) || (first === quote ? name !== "tool_input" : first === openBrace && name !== "thought");
        this.#long[name] = isNull(json, start) ? null : json.subarray(start, end);
        return fits ? end : unread;
      }
      default:
        return entryFieldsIgnored.includes(name) ? end : unread;
    }
  }

  /** The entry, or null if something is missing. */
  entry(): ReportedEntry | null {
    if (this.#messageType === null) return null;
    const entry = {
      created_at: this.#createdAt === null ? null : new Date(this.#createdAt).toISOString(),
      message_type: this.#messageType,
      tool_call_id: this.#toolCallId,
      tool_name: this.#toolName,
      json: this.#long,
      outcome: this.#outcome,
    };
    return missingField({ ...entry, ...this.#long }) === null ? entry : null;
  }

  #readOutput(json: Buffer, start: number): number {
    this.#outcome = {};
    this.#long.tool_output = null;
    if (isNull(json, start)) return endOfValue(json, start, depths.entry);
    const end = endOfObject(json, start, (value, nameStart, nameEnd) => {
      const after = endOfValue(json, value, depths.tool);
      const name = nameOf(json, nameStart, nameEnd);
      if (after !== unread && (name === "duration_ms" || outcomeFields.has(name))) {
        this.#outcome[name] = outcomeValue(json, value, after);
      }
      return after;
    });
    if (end !== unread) this.#long.tool_output = json.subarray(start, end);
    return end;
  }
}

/** The expected names are short and ASCII only. */
const nameBytesMax = 20;

function nameOf(json: Buffer, start: number, end: number): string {
  return end - start > nameBytesMax ? "" : json.toString("latin1", start, end);
}

/** A string without escapes; null for anything else. */
function textOf(json: Buffer, start: number, end: number): string | null {
  return json[start] === quote && endOfText(json, start) === end ? json.toString("utf8", start + 1, end - 1) : null;
}

/** A value for judging the outcome: the beginning and the end of a long text. */
function outcomeValue(json: Buffer, start: number, end: number): unknown {
  return json[start] === quote
    ? endsOfJsonText(json, start + 1, end - 1)
    : JSON.parse(json.toString("utf8", start, end));
}

function isInstant(text: string | null): boolean {
  if (text === null || !instant.test(text)) return false;
  // 31 February is not a day, though a Date accepts it.
  const [year, month, day] = [text.slice(0, 4), text.slice(5, 7), text.slice(8, 10)].map(Number);
  return new Date(Date.UTC(year ?? 0, (month ?? 0) - 1, day)).getUTCDate() === day;
}

const isNamed = (text: string | null, charactersMax: number) =>
  text !== null && text.length >= 1 && text.length <= charactersMax;

/** In a value known to be valid, only null begins with this letter. */
const isNull = (json: Buffer, start: number) => json[start] === letterN;

const quote = 0x22;
const space = 0x20;
const comma = 0x2c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const letterN = 0x6e;
