import { createParser, type EventSourceMessage } from "eventsource-parser";
import { unlessAborted } from "#lib/unless-aborted.ts";

/**
 * Reads the events of a stream written by this process. Ends with the stream, or at once when the signal is aborted, and then
 * closes the stream too.
 */
export async function* readEvents(
  texts: AsyncIterable<string | Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<EventSourceMessage> {
  const parts = texts[Symbol.asyncIterator]();
  const read: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (event) => read.push(event) });
  try {
    for (;;) {
      const next = await unlessAborted(parts.next(), signal);
      if (next === null || next.done) return;
      // Our event streams are strings.
      parser.feed(String(next.value));
      yield* read.splice(0);
    }
  } finally {
    // Not awaited: a generator waiting for a change of the store ends only by its own signal.
    void parts.return?.()?.catch(() => {});
  }
}
