/** How often an open stream checks that its client may still read it. */
const checkMs = 1000;

/** Parts of a stream, and the signal that cuts them off. */
export type Guarded<Part> = { events: AsyncIterable<Part>; cutOff: AbortSignal };

/**
 * Passes on events as long as `isAllowed` says so, which is checked once a second, whatever arrives. After a no,
 * nothing more is passed on and `cutOff` is aborted: the stream ends without `end`, which would mean that the run has
 * ended, and a client that reconnects is told why. If `isAllowed` throws, it is asked again: a store that cannot
 * respond fails the stream by itself. `signal` is the client's.
 */
export function whileAllowed<Part>(
  isAllowed: () => Promise<boolean>,
  signal: AbortSignal,
  events: (signal: AbortSignal) => AsyncIterable<Part>,
): Guarded<Part> {
  const over = new AbortController();
  return { events: guard(isAllowed, over, events(AbortSignal.any([signal, over.signal]))), cutOff: over.signal };
}

async function* guard<Part>(
  isAllowed: () => Promise<boolean>,
  over: AbortController,
  events: AsyncIterable<Part>,
): AsyncGenerator<Part> {
  const check = async () => {
    if (!(await isAllowed().catch(() => true))) over.abort();
  };
  const timer = setInterval(() => void check(), checkMs);
  try {
    for await (const event of events) {
      if (over.signal.aborted) return;
      yield event;
      if (over.signal.aborted) return;
    }
  } finally {
    clearInterval(timer);
  }
}
