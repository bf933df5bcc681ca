import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { type Answer, isStream } from "#lib/http/answer.ts";

/** Writes a response. A stream is read only as fast as the client reads, and closed when the client disconnects. */
export async function writeAnswer(response: ServerResponse, answer: Answer, method: string): Promise<void> {
  const { status, headers, body } = answer;
  response.writeHead(status, headers);
  if (body === null || method === "HEAD") response.end();
  else if (isStream(body)) await writeStream(response, body, answer.cutOff);
  else {
    // For a response without a length, Node emits "finish" before the data is out.
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

/** Smaller pieces use recycled memory anyway, the smallest a buffer they share with others. */
const givenBackMin = 64 * 1024;

/**
 * Releases the memory of bytes nobody reads any more. Pages come and go faster than the collector: it would let hundreds of
 * them pile up, and fresh memory costs more to get than the page costs to read.
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
 * Waits until the client has read what was written, or is gone; this includes a client that is cut off meanwhile. Leaves no
 * listener behind: a long response waits many times.
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
