import { createParser, type EventSourceMessage } from "eventsource-parser";

/**
 * Reads the events of a stream written by this process. Ends with the stream, or at once when the signal is aborted, and then
 * closes the stream too.
 */
export async function* readEvents(
  texts: AsyncIterable<string | Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<EventSourceMessage> {
  const parts = texts[Symbol.asyncIterator]();
  const aborted = new Promise<IteratorResult<string | Uint8Array>>((resolve) => {
    const end = () => resolve({ done: true, value: undefined });
    if (signal.aborted) end();
    else signal.addEventListener("abort", end, { once: true });
  });
  const read: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (event) => read.push(event) });
  try {
    for (;;) {
      const next = await Promise.race([parts.next(), aborted]);
      if (next.done) return;
      // Our event streams are strings.
      parser.feed(String(next.value));
      yield* read.splice(0);
    }
  } finally {
    // Not awaited: a generator waiting for a change of the store ends only by its own signal.
    void parts.return?.()?.catch(() => {});
  }
}
