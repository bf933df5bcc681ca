import type { LongField, NewEntry, RawEntry } from "#lib/contract/entry.ts";

/** JSON of an entry after its run and seq, in pieces: all keys are always present, in this order. */
export function entryJson(entry: NewEntry | RawEntry): (string | Uint8Array)[] {
  const { created_at, message_type } = entry;
  const head = JSON.stringify({ created_at, message_type, tool_call_id: entry.tool_call_id ?? null });
  const toolName = JSON.stringify(entry.tool_name ?? null);
  return [
    `${head.slice(1, -1)},"thought":`,
    jsonOf(entry, "thought"),
    `,"tool_name":${toolName},"tool_input":`,
    jsonOf(entry, "tool_input"),
    ',"tool_output":',
    jsonOf(entry, "tool_output"),
    ',"observation":',
    jsonOf(entry, "observation"),
    "}",
  ];
}

function jsonOf(entry: NewEntry | RawEntry, field: LongField): string | Uint8Array {
  if ("json" in entry) return entry.json[field] ?? "null";
  return JSON.stringify(entry[field] ?? null);
}

const roomKept = 256 * 1024;

/** Joins pieces of JSON as UTF-8, in a buffer that its next call reuses. */
export class JsonJoiner {
  #room = Buffer.allocUnsafe(roomKept);

  join(pieces: readonly (string | Uint8Array)[]): Uint8Array {
    let most = 0;
    for (const piece of pieces) most += typeof piece === "string" ? bytesMax(piece) : piece.length;
    if (most > this.#room.length || this.#room.length > roomKept) {
      this.#room = Buffer.allocUnsafe(Math.max(most, roomKept));
    }
    const bytes = this.#room;
    let end = 0;
    for (const piece of pieces) {
      if (typeof piece === "string") end += bytes.write(piece, end);
      else {
        bytes.set(piece, end);
        end += piece.length;
      }
    }
    return bytes.subarray(0, end);
  }
}

/** Counting the bytes of a short text costs more than reserving the most it can need. */
function bytesMax(text: string): number {
  return text.length < 1000 ? text.length * 3 : Buffer.byteLength(text);
}
