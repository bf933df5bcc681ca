import type { Readable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { ExactNumber, parseExactJson } from "#lib/contract/exact-json.ts";

/** Maximum length of a line: more than a tool output of 50 MB in JSON. */
export const lineBytesMax = 64 * 1024 * 1024;

/** An agent sent a line longer than {@link lineBytesMax}. Nothing after it can be read. */
export class LineTooLongError extends Error {
  constructor() {
    super(`The agent sent a message of more than ${lineBytesMax} bytes`);
    this.name = "LineTooLongError";
  }
}

/** A JSON-RPC message as received; method and params are not checked. */
export type RawMessage = { jsonrpc: "2.0" } & Record<string, unknown>;

/**
 * Reads an agent's stdout up to its end: `onMessage` gets each JSON-RPC message (also after a byte order mark, and several on one
 * line), `onNoise` each other line (cut at 2,000
 * characters), both in order; `onPart` is called for each piece of a line that continues. The next line waits for `onMessage`. Throws
 * {@link LineTooLongError}.
 */
export async function readMessages(
  stdout: Readable,
  onMessage: (message: RawMessage) => Promise<void>,
  onNoise: (line: string) => void,
  onPart: () => void,
): Promise<void> {
  let pieces: Buffer[] = [];
  let pendingBytes = 0;
  const take = async (last: Buffer) => {
    pieces.push(last);
    const line = pieces.length === 1 ? last : Buffer.concat(pieces);
    pieces = [];
    pendingBytes = 0;
    const messages = parseMessages(line);
    for (const message of messages ?? []) await onMessage(message);
    if (messages === null && line.length > 0) noise(line, onNoise);
  };
  for await (const chunk of stdout) {
    const bytes: Buffer = Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk);
    const beganAt = performance.now();
    let start = 0;
    for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, start)) {
      await take(bytes.subarray(start, end));
      start = end + 1;
    }
    if (start > 0 && bytes.length >= fullChunkBytes) await leaveRoom(performance.now() - beganAt);
    if (start === bytes.length) continue;
    pieces.push(bytes.subarray(start));
    pendingBytes += bytes.length - start;
    if (pendingBytes > lineBytesMax) throw new LineTooLongError();
    onPart();
  }
  if (pendingBytes > 0) await take(Buffer.alloc(0));
}

/** A chunk of this size means that the agent writes faster than the engine reads. */
const fullChunkBytes = 32 * 1024;

/**
 * Leaves the engine to other runs for nine times as long as this agent's messages kept it busy (at most 200 ms), so that an agent
 * that never pauses takes about a tenth of its time. The agent waits meanwhile, because its pipe is full.
 */
async function leaveRoom(busyMs: number): Promise<void> {
  await wait(Math.min(9 * busyMs, 200));
}

/** The messages of a line: one, or several in a row; null if it is not, or not only, messages. */
function parseMessages(line: Buffer): RawMessage[] | null {
  const start = line.subarray(0, byteOrderMark.length).equals(byteOrderMark) ? byteOrderMark.length : 0;
  // A line that does not begin with a brace is not a message; checking one byte avoids parsing megabytes of other output.
  if (!/^\s*\{/.test(line.subarray(start, start + 100).toString("latin1"))) return null;
  const text = line.subarray(start).toString("utf8");
  const values = parsed(text) ?? parsed(text.replace(/\}\s*(?=\{"jsonrpc"\s*:)/g, "},"));
  return values?.every(isMessage) === true ? values : null;
}

const byteOrderMark = Buffer.from("\uFEFF");

/** JSON values with commas between them; null for other texts. */
function parsed(text: string): unknown[] | null {
  try {
    const values = parseExactJson(`[${text}]`);
    return Array.isArray(values) ? values.map(withPlainNumbers) : null;
  } catch {
    return null;
  }
}

/** Fields of any JSON, whose numbers are kept as they were sent. */
const foreign: ReadonlySet<string> = new Set(["rawInput", "rawOutput", "_meta", "data"]);

/** A message with ordinary numbers in the fields of the protocol. */
function withPlainNumbers(value: unknown): unknown {
  if (value instanceof ExactNumber) return Number(value);
  if (typeof value !== "object" || value === null) return value;
  for (const [name, inner] of Object.entries(value)) {
    if (typeof inner === "object" && !foreign.has(name)) Object.assign(value, { [name]: withPlainNumbers(inner) });
  }
  return value;
}

function isMessage(value: unknown): value is RawMessage {
  return typeof value === "object" && value !== null && "jsonrpc" in value && value.jsonrpc === "2.0";
}

function noise(line: Buffer, onNoise: (line: string) => void): void {
  const text = line.subarray(0, 8000).toString("utf8").trim().slice(0, 2000);
  if (text !== "") onNoise(text);
}
