import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { AwakeTimer } from "#lib/awake-timer.ts";
import { type Answer, isStream } from "#lib/http/answer.ts";

/** How long an event stream's client may read nothing. What is buffered for it costs memory, and it can reconnect. */
const takeMs = 30_000;

/**
 * Writes a response. A stream is read only as fast as the client reads, and closed when the client disconnects; an event stream
 * also when the client reads nothing for 30 s.
 */
export async function writeAnswer(
  response: ServerResponse,
  answer: Answer,
  method: string,
  limitMs = takeMs,
): Promise<void> {
  const { status, headers, body } = answer;
  response.writeHead(status, headers);
  if (body === null || method === "HEAD") response.end();
  else if (isStream(body)) {
    const isEventStream = headers["content-type"]?.startsWith("text/event-stream") ?? false;
    const patienceMs = answer.takeMs ?? (isEventStream ? limitMs : null);
    const patience = { cutOff: answer.cutOff, limitMs: patienceMs };
    await (body instanceof Readable ? pipeBytes(response, body, patience) : writeStream(response, body, patience));
  } else {
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

/** When a client is cut off: with the signal, or after it has read nothing for `limitMs` in which this process ran; null: no limit. */
type Patience = { cutOff: AbortSignal | undefined; limitMs: number | null };

/** So small that a slow client reads it within the limit. */
const pieceBytes = 64 * 1024;

async function writeStream(
  response: ServerResponse,
  parts: AsyncIterable<string | Uint8Array>,
  patience: Patience,
): Promise<void> {
  response.flushHeaders();
  for await (const part of parts) {
    if (part.length <= pieceBytes) await writePiece(response, part, patience);
    else {
      const bytes = typeof part === "string" ? Buffer.from(part) : part;
      for (let start = 0; start < bytes.length && !response.destroyed; start += pieceBytes) {
        await writePiece(response, bytes.subarray(start, start + pieceBytes), patience);
      }
    }
    if (response.destroyed) return;
  }
  response.end();
}

/**
 * Passes on bytes of a process, at the least cost per piece. A client that is cut off, or reads nothing for the time limit, loses
 * its connection, so that nobody takes a part for the whole.
 */
async function pipeBytes(response: ServerResponse, bytes: Readable, { cutOff, limitMs }: Patience): Promise<void> {
  const cut = () => void response.destroy();
  if (cutOff?.aborted) cut();
  cutOff?.addEventListener("abort", cut, { once: true });
  let taken = -1;
  const look = () => {
    const now = response.socket?.bytesWritten ?? 0;
    if (response.writableNeedDrain && now === taken) return cut();
    taken = now;
    timer?.restart();
    timer?.resume();
  };
  const timer: AwakeTimer | null = limitMs === null ? null : new AwakeTimer(limitMs / 2, look);
  try {
    await pipeline(bytes, response);
  } catch (error) {
    if (!response.destroyed) throw error;
  } finally {
    timer?.stop();
    cutOff?.removeEventListener("abort", cut);
  }
}

async function writePiece(response: ServerResponse, piece: string | Uint8Array, patience: Patience): Promise<void> {
  if (!response.destroyed && !response.write(piece)) await untilTaken(response, patience);
}

/**
 * Waits until the client has read what was written, or is gone; this includes a client that is cut off in the meantime. Leaves no
 * listener behind: a long response waits many times.
 */
async function untilTaken(response: ServerResponse, { cutOff, limitMs }: Patience): Promise<void> {
  if (response.destroyed) return;
  const waiting = new AbortController();
  const { signal } = waiting;
  cutOff?.addEventListener("abort", () => response.destroy(), { signal });
  const limit = limitMs === null ? null : new AwakeTimer(limitMs, () => response.destroy());
  try {
    await Promise.race([once(response, "drain", { signal }), once(response, "close", { signal })]);
  } finally {
    limit?.stop();
    waiting.abort();
  }
}
