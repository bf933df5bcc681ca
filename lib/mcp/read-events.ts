/** One server-sent event of our own streams: `data` is one line. */
export type ReadEvent = { event: string; id: string | null; data: string };

/**
 * Reads the events of a stream written by this process. Ends with the stream, or at once when the signal is aborted, and then
 * closes the stream too.
 */
export async function* readEvents(
  texts: AsyncIterable<string | Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<ReadEvent> {
  const parts = texts[Symbol.asyncIterator]();
  const aborted = new Promise<IteratorResult<string | Uint8Array>>((resolve) => {
    const end = () => resolve({ done: true, value: undefined });
    if (signal.aborted) end();
    else signal.addEventListener("abort", end, { once: true });
  });
  let held = "";
  try {
    for (;;) {
      const next = await Promise.race([parts.next(), aborted]);
      if (next.done) return;
      const blocks = (held + next.value).split("\n\n");
      held = blocks.pop() ?? "";
      for (const block of blocks) {
        const event = eventOf(block);
        if (event !== null) yield event;
      }
    }
  } finally {
    // Not awaited: a generator waiting for a change of the store ends only by its own signal.
    void parts.return?.()?.catch(() => {});
  }
}

function eventOf(block: string): ReadEvent | null {
  const fields = new Map(
    block.split("\n").map((line): [string, string] => {
      const colon = line.indexOf(": ");
      return colon < 1 ? ["", ""] : [line.slice(0, colon), line.slice(colon + 2)];
    }),
  );
  const data = fields.get("data");
  return data === undefined ? null : { event: fields.get("event") ?? "message", id: fields.get("id") ?? null, data };
}
