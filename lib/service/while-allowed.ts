import type { StreamEvent } from "./reply.ts";

/** How often an open stream checks that its client may still read it. */
const checkMs = 1000;

/** Events of a stream, and the signal that cuts them off. */
export type Guarded = { events: AsyncIterable<StreamEvent>; cutOff: AbortSignal };

/**
 * Passes on events as long as `isAllowed` says so, which is checked once a second, whatever arrives. After a refusal, nothing
 * more is passed on and `cutOff` is aborted: the stream ends without `end`, which would mean that the run has ended, and a client
 * that reconnects is told why. If `isAllowed` throws, it is asked again: a store that cannot respond fails the stream by itself.
 * `signal` is the client's.
 */
export function whileAllowed(
  isAllowed: () => Promise<boolean>,
  signal: AbortSignal,
  events: (signal: AbortSignal) => AsyncIterable<StreamEvent>,
): Guarded {
  const over = new AbortController();
  return { events: guard(isAllowed, over, events(AbortSignal.any([signal, over.signal]))), cutOff: over.signal };
}

/**
 * Passes on the text of a file as {@link whileAllowed} passes on events. After a refusal it throws, so that nobody takes a part for
 * the whole file.
 */
export function fileWhileAllowed(
  isAllowed: () => Promise<boolean>,
  texts: AsyncIterable<string>,
): { texts: AsyncIterable<string>; cutOff: AbortSignal } {
  const over = new AbortController();
  return { texts: guardFile(isAllowed, over, texts), cutOff: over.signal };
}

/** The checks of {@link whileAllowed} for a response that is no event stream, until `stop` is called. */
export function watchAllowed(
  isAllowed: () => Promise<boolean>,
  over = new AbortController(),
): { cutOff: AbortSignal; stop: () => void } {
  const check = async () => {
    if (!(await isAllowed().catch(() => true))) over.abort();
  };
  const timer = setInterval(() => void check(), checkMs);
  return { cutOff: over.signal, stop: () => clearInterval(timer) };
}

async function* guard<Item>(
  isAllowed: () => Promise<boolean>,
  over: AbortController,
  items: AsyncIterable<Item>,
): AsyncGenerator<Item> {
  const { stop } = watchAllowed(isAllowed, over);
  try {
    for await (const item of items) {
      if (over.signal.aborted) return;
      yield item;
      if (over.signal.aborted) return;
    }
  } finally {
    stop();
  }
}

async function* guardFile(
  isAllowed: () => Promise<boolean>,
  over: AbortController,
  texts: AsyncIterable<string>,
): AsyncGenerator<string> {
  yield* guard(isAllowed, over, texts);
  over.signal.throwIfAborted();
}
