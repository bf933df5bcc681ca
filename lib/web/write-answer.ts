import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { type Answer, isStream } from "#lib/http/answer.ts";

/** Writes an answer. A stream is read only as fast as the client takes it, and is left when the client has gone. */
export async function writeAnswer(response: ServerResponse, answer: Answer, method: string): Promise<void> {
  const { status, headers, body } = answer;
  response.writeHead(status, headers);
  if (body === null || method === "HEAD") response.end();
  else if (isStream(body)) await writeStream(response, body, answer.cutOff);
  else {
    // Of an answer without a length Node says that it has finished before it has gone out.
    const length = Number(headers["content-length"] ?? 0);
    if (answer.isOwn && length >= givenBackMin) response.once("finish", () => body.forEach(giveBack));
    writePieces(response, body);
  }
}

function writePieces(response: ServerResponse, pieces: Uint8Array[]): void {
  const last = pieces.length - 1;
  if (last > 0) response.cork();
  for (let index = 0; index < last; index += 1) response.write(pieces[index]);
  response.end(pieces[last]);
  if (last > 0) response.uncork();
}

/** Smaller pieces lie in memory that is used again anyway, the smallest in a buffer that they share with others. */
const givenBackMin = 64 * 1024;

/**
 * Gives the memory of bytes back that nobody reads any more. Pages come and go faster than the collector: it would let hundreds of
 * them pile up, and memory that was never used costs more to get than the page costs to read.
 */
function giveBack({ buffer, byteLength }: Uint8Array): void {
  const isAlone = byteLength === buffer.byteLength && buffer instanceof ArrayBuffer;
  if (isAlone && byteLength >= givenBackMin) buffer.transfer(0);
}

async function writeStream(
  response: ServerResponse,
  texts: AsyncIterable<string>,
  cutOff: AbortSignal | undefined,
): Promise<void> {
  response.flushHeaders();
  for await (const text of texts) {
    if (response.destroyed) return;
    if (!response.write(text)) await untilTaken(response, cutOff);
  }
  response.end();
}

/**
 * Waits until the client has taken what was written, or is gone; a client that is cut off meanwhile is gone. Leaves no listener
 * behind: a long answer waits many times.
 */
async function untilTaken(response: ServerResponse, cutOff: AbortSignal | undefined): Promise<void> {
  if (response.destroyed) return;
  const waiting = new AbortController();
  const { signal } = waiting;
  cutOff?.addEventListener("abort", () => response.destroy(), { signal });
  try {
    await Promise.race([once(response, "drain", { signal }), once(response, "close", { signal })]);
  } finally {
    waiting.abort();
  }
}
