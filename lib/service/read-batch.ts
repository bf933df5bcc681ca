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

/** The entries of a batch with their long fields as they were sent. */
export type RawBatch = { raw: ReportedEntry[] };

/** `created_at` null: now. */
export type ReportedEntry = Omit<RawEntry, "created_at"> & { created_at: string | null };

/**
 * Reads the body of appendLogs without building the values in it, which costs more than to store them. It takes only what is
 * valid, on one line and written without oddities, as nearly all is; null for everything else: that is read in the plain way,
 * which says what is wrong with it.
 */
export function readBatch(body: Uint8Array): RawBatch | null {
  if (!isUtf8(body)) return null;
  const json = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const read = readLine(json);
  // The plain way would lose this name.
  return read === null && json.includes("__proto__") ? readLine(rewritten(json)) : read;
}

/** The same value on one line; empty where the text is none. */
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

/** Gives where the array ends, or {@link unread}. */
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

/** The fields of one entry; of a name that stands there twice the last one counts. */
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

  /** Gives where the value ends, or {@link unread}. */
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

  /** The entry, or null where something is missing. */
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

/** The names that are looked for have few letters, all of them ASCII. */
const nameBytesMax = 20;

function nameOf(json: Buffer, start: number, end: number): string {
  return end - start > nameBytesMax ? "" : json.toString("latin1", start, end);
}

/** A string without escapes; null for everything else. */
function textOf(json: Buffer, start: number, end: number): string | null {
  return json[start] === quote && endOfText(json, start) === end ? json.toString("utf8", start + 1, end - 1) : null;
}

/** A value as the outcome is read from it: of a long text its beginning and its end. */
function outcomeValue(json: Buffer, start: number, end: number): unknown {
  return json[start] === quote
    ? endsOfJsonText(json, start + 1, end - 1)
    : JSON.parse(json.toString("utf8", start, end));
}

function isInstant(text: string | null): boolean {
  if (text === null || !instant.test(text)) return false;
  // 31 February is no day, though a Date takes it for one.
  const [year, month, day] = [text.slice(0, 4), text.slice(5, 7), text.slice(8, 10)].map(Number);
  return new Date(Date.UTC(year ?? 0, (month ?? 0) - 1, day)).getUTCDate() === day;
}

const isNamed = (text: string | null, charactersMax: number) =>
  text !== null && text.length >= 1 && text.length <= charactersMax;

/** A value that was found valid begins with this letter only where it is null. */
const isNull = (json: Buffer, start: number) => json[start] === letterN;

const quote = 0x22;
const space = 0x20;
const comma = 0x2c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const letterN = 0x6e;
