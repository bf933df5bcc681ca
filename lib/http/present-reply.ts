import { sessionCookie } from "#lib/auth/session-cookie.ts";
import type { AnyOperation } from "#lib/contract/operation.ts";
import {
  Accepted,
  Binary,
  EventStream,
  FileStream,
  hasTag,
  NoContent,
  NothingDone,
  type Pieces,
  PlainText,
  SessionChange,
  StoredJson,
  Tagged,
  validatorOf,
} from "#lib/service/reply.ts";
import type { Answer } from "./answer.ts";
import type { Call } from "./call.ts";
import { eventStreamHeaders, eventStreamText } from "./event-stream.ts";
import { nextPage } from "./next-page.ts";

const json = "application/json; charset=utf-8";

/**
 * Response for a service function's result: 200, 202 for what is processed later, or 304 if the client's If-None-Match shows
 * that it is up to date.
 */
export async function presentReply(
  reply: unknown,
  operation: AnyOperation,
  call: Call,
  publicUrl: string,
): Promise<Answer> {
  if (reply instanceof EventStream) {
    return { status: 200, headers: { ...eventStreamHeaders }, body: eventStreamText(reply), cutOff: reply.cutOff };
  }
  if (reply instanceof NoContent) return { status: 204, headers: { "cache-control": "no-store" }, body: null };
  if (reply instanceof FileStream) {
    return { status: 200, headers: fileHeaders(reply), body: reply.texts, cutOff: reply.cutOff };
  }
  if (reply instanceof StoredJson) return await keepable(call, reply.validator, json, reply.read);
  if (reply instanceof Tagged) {
    const text = JSON.stringify(reply.value);
    if (reply.state === reply.value) return await keepableText(call, text, json);
    const answer = await keepableText(call, text, json, JSON.stringify(reply.state));
    answer.headers["cache-control"] = "no-store";
    return answer;
  }
  if (reply instanceof PlainText) return await keepableText(call, reply.text, `${operation.resultType}; charset=utf-8`);
  if (reply instanceof Binary) return whole([reply.bytes], reply.type, "no-store");
  if (reply instanceof SessionChange) {
    const answer = whole([Buffer.from(JSON.stringify(reply.value))], json, "no-store");
    answer.headers["set-cookie"] = sessionCookie(reply.secret, publicUrl);
    return answer;
  }
  if (reply instanceof Accepted) {
    return { ...whole([Buffer.from(JSON.stringify(reply.value))], json, "no-store"), status: 202 };
  }
  if (reply instanceof NothingDone) {
    return { ...whole([Buffer.from(JSON.stringify(reply.value))], json, "no-store"), didNothing: true };
  }
  const text = JSON.stringify(reply);
  const answer = operation.tagged ? await keepableText(call, text, json) : whole([Buffer.from(text)], json, "no-store");
  Object.assign(answer.headers, nextPage(reply, operation, call, publicUrl));
  return answer;
}

/** A file is downloaded, never shown at this origin; should a client show it anyway, nothing in it runs or loads. */
function fileHeaders({ name, type }: FileStream): Record<string, string> {
  return {
    "content-type": `${type}; charset=utf-8`,
    "content-disposition": `attachment; filename="${name}"`,
    "content-security-policy": "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:",
    "cache-control": "no-store",
  };
}

/** `state`: what its ETag identifies. */
function keepableText(call: Call, text: string | Uint8Array, type: string, state = text): Promise<Answer> {
  // Buffer.from copies, so nobody else holds the bytes.
  const read = async () => ({ pieces: [Buffer.from(text)], isOwn: true });
  return keepable(call, validatorOf(state), type, read);
}

async function keepable(
  call: Call,
  validator: string | null,
  type: string,
  read: () => Promise<Pieces>,
): Promise<Answer> {
  if (validator === null) return wholeOf(await read(), type, "no-store");
  const etag = `W/"${validator}"`;
  // Only for reads (RFC 9110, 15.4.5): the client must learn the result of a change.
  const isRead = call.method === "GET" || call.method === "HEAD";
  const known = call.header("if-none-match");
  if (isRead && known !== null && hasTag(known, validator)) {
    return { status: 304, headers: { etag, "cache-control": "private, no-cache" }, body: null };
  }
  const answer = wholeOf(await read(), type, "private, no-cache");
  answer.headers.etag = etag;
  return answer;
}

function wholeOf({ pieces, isOwn }: Pieces, type: string, cacheControl: string): Answer {
  const answer = whole(pieces, type, cacheControl);
  answer.isOwn = isOwn;
  return answer;
}

function whole(body: Uint8Array[], type: string, cacheControl: string): Answer {
  let length = 0;
  for (const piece of body) length += piece.length;
  return {
    status: 200,
    headers: { "content-type": type, "cache-control": cacheControl, "content-length": String(length) },
    body,
  };
}
