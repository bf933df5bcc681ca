import { gunzipSync } from "node:zlib";
import { ApiError } from "#lib/contract/error.ts";
import { parseExactJson } from "#lib/contract/exact-json.ts";
import type { AnyOperation } from "#lib/contract/operation.ts";
import { jsonDepthMax } from "#lib/contract/text.ts";
import { cutText } from "#lib/cut-text.ts";
import type { Call } from "./call.ts";
import { countFields, countFieldsOf, repeatedField } from "./json-fields.ts";

const jsonType = /^application\/(?:[a-z0-9!#$&^_.-]+\+)?json\s*(?:;|$)/i;
const charset = /;\s*charset\s*=\s*"?([^\s;"]*)/i;

type Bounds = Pick<AnyOperation, "bodyBytesMax" | "otherBodies">;

/**
 * Bytes of the body, as JSON or whatever else the operation takes; none if there is none. Throws 415 for another content type,
 * 413 above the operation's limit (by Content-Length before reading, otherwise by counting).
 */
export async function readBody(call: Call, operation: Bounds): Promise<Uint8Array> {
  const { bodyBytesMax: bytesMax } = operation;
  const length = call.header("content-length");
  if (length !== null && Number(length) > bytesMax) throw tooLarge(bytesMax);
  const bytes = await readBytes(call, length === null ? null : Number(length), bytesMax);
  if (bytes.length === 0) return bytes;
  requireType(call, operation);
  return call.header("content-encoding")?.toLowerCase() === "gzip" ? unzipped(bytes, bytesMax) : bytes;
}

/**
 * Parsed body, undefined if there is none; numbers keep their digits ({@link parseExactJson}). Throws 400 for anything that is not
 * UTF-8, not JSON, nested too deeply, or an object that has a field twice: one of the two would be lost.
 */
export function parseJson(bytes: Uint8Array): unknown {
  if (bytes.length === 0) return undefined;
  const text = decode(bytes);
  const fields = countFields(bytes, jsonDepthMax);
  if (fields === null) throw bad(`The body is nested deeper than ${jsonDepthMax} levels.`, "json_invalid");
  const value = parsed(text);
  if (fields !== countFieldsOf(value)) refuseRepeated(text);
  return value;
}

function parsed(text: string): unknown {
  try {
    return parseExactJson(text);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : "it cannot be read";
    throw bad(`The body is not valid JSON: ${reason}`, "json_invalid", cause);
  }
}

function refuseRepeated(text: string): void {
  const path = repeatedField(text);
  if (path === null) return;
  const msg = "is there twice in one object: one of the two would be lost";
  const shown = path.map((part) => (typeof part === "string" ? cutText(part, nameMax, "…") : part));
  throw new ApiError("bad_request", `${shown.join(".")}: ${msg}`, {
    fields: [{ loc: ["body", ...shown], msg, type: "json_invalid" }],
  });
}

/** Longest name of a field that is repeated in an error, in characters. */
const nameMax = 64;

/** Typical size of one chunk. */
const pieceBytes = 64 * 1024;

async function readBytes(call: Call, announced: number | null, bytesMax: number): Promise<Uint8Array> {
  const body = call.body();
  if (body === null) return new Uint8Array();
  // A large body of known length is assembled as it arrives, so that its pieces are not kept besides.
  const whole = announced !== null && announced > pieceBytes ? Buffer.allocUnsafeSlow(announced) : null;
  const pieces: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const piece of body) {
      const start = length;
      length += piece.length;
      if (length > bytesMax) throw tooLarge(bytesMax);
      if (whole !== null && length <= whole.length) whole.set(piece, start);
      else pieces.push(piece);
    }
    if (whole !== null && length === whole.length) return whole;
    if (whole !== null) throw bad("The body does not have the length that Content-Length gives.", "body_invalid");
  } catch (cause) {
    if (cause instanceof ApiError) throw cause;
    throw bad("The body ended before it was complete.", "body_invalid", cause);
  }
  return pieces.length === 1 && pieces[0] !== undefined ? pieces[0] : Buffer.concat(pieces);
}

function unzipped(bytes: Uint8Array, bytesMax: number): Uint8Array {
  try {
    return gunzipSync(bytes, { maxOutputLength: bytesMax });
  } catch (cause) {
    const isLarge = cause instanceof Error && "code" in cause && cause.code === "ERR_BUFFER_TOO_LARGE";
    throw isLarge ? tooLarge(bytesMax) : bad("The body is not valid gzip data.", "body_invalid", cause);
  }
}

function requireType(call: Call, { otherBodies }: Bounds): void {
  const type = call.header("content-type");
  const named = type === null ? undefined : charset.exec(type)?.[1]?.toLowerCase();
  const encoding = call.header("content-encoding");
  const isOther = otherBodies.includes(type?.split(";")[0]?.trim().toLowerCase() ?? "");
  if (type === null || !(isOther || jsonType.test(type))) {
    throw new ApiError("unsupported_media_type", "Send the body as JSON: Content-Type: application/json.");
  }
  if (named !== undefined && named !== "utf-8" && named !== "utf8") {
    throw new ApiError("unsupported_media_type", "Send the body in UTF-8.");
  }
  const encodings = otherBodies.length > 0 ? ["identity", "gzip"] : ["identity"];
  if (encoding !== null && !encodings.includes(encoding.toLowerCase())) {
    throw new ApiError("unsupported_media_type", "Send the body without Content-Encoding.");
  }
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw bad("The body is not valid UTF-8.", "json_invalid", cause);
  }
}

/** A 400 for a body that cannot be read; `type` is the kind of error for programs. */
function bad(detail: string, type: "body_invalid" | "json_invalid", cause?: unknown): ApiError {
  return new ApiError("bad_request", detail, { fields: [{ loc: ["body"], msg: detail, type }], cause });
}

function tooLarge(bytesMax: number): ApiError {
  return new ApiError("body_too_large", `The body has more than ${bytesMax} bytes.`);
}
