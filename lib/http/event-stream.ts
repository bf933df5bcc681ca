import type { RateLimits } from "#lib/limits/rate-limits.ts";
import { EventStream, type StreamEvent } from "#lib/service/reply.ts";
import type { Call } from "./call.ts";

const heartbeatMs = 15_000;

/** Headers of an event stream: no proxy may store, change or buffer it. */
export const eventStreamHeaders = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-store, no-transform",
  "x-accel-buffering": "no",
};

/** A reply as it is; an event stream counts as one of its caller's until it has ended or its client is gone. Throws 429. */
export function countOpen(
  reply: unknown,
  call: Pick<Call, "method" | "signal">,
  caller: string,
  limits: RateLimits,
): unknown {
  if (!(reply instanceof EventStream) || call.method === "HEAD") return reply;
  // Read only here: other requests need no signal, which costs something to create.
  const { signal } = call;
  const close = limits.openStream(caller);
  signal.addEventListener("abort", close, { once: true });
  if (signal.aborted) close();
  return new EventStream(untilEnd(reply.events, close), reply.cutOff);
}

async function* untilEnd(events: AsyncIterable<StreamEvent>, close: () => void): AsyncGenerator<StreamEvent> {
  try {
    yield* events;
  } finally {
    close();
  }
}

/**
 * Text of server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html): a client that loses the
 * connection reconnects after a second, and a comment every 15 s keeps the connection alive.
 */
export async function* eventStreamText(stream: EventStream, beatMs = heartbeatMs): AsyncGenerator<string> {
  const events = stream.events[Symbol.asyncIterator]();
  let timer: NodeJS.Timeout | undefined;
  try {
    yield "retry: 1000\n\n";
    for (let next = events.next(); ; ) {
      const beat = new Promise<"beat">((resolve) => {
        timer = setTimeout(resolve, beatMs, "beat");
      });
      const result = await Promise.race([next, beat]);
      clearTimeout(timer);
      if (result === "beat") yield ": still here\n\n";
      else if (result.done) return;
      else {
        yield eventText(result.value);
        next = events.next();
      }
    }
  } finally {
    clearTimeout(timer);
    await events.return?.();
  }
}

function eventText({ event, id, data }: StreamEvent): string {
  return id === null ? `event: ${event}\ndata: ${data}\n\n` : `event: ${event}\nid: ${id}\ndata: ${data}\n\n`;
}
