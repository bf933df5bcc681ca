import type { TailSource } from "./tail-state.ts";

const seqNames = new Set([
  "seq",
  "from_seq",
  "to_seq",
  "first_seq",
  "last_seq",
  "around_seq",
  "first_error_seq",
  "last_error_seq",
  "after",
]);

/** What an entry holds is not ours to change. */
const foreign = new Set(["tool_input", "tool_output", "observation", "metadata", "share"]);

/**
 * The value with every number of an entry in it moved by `by`, where the fields' names say that they are such. The viewer
 * counts the entries that it shows from 1; a link that shows a part of a run keeps the numbers that they have in the run.
 */
export function shiftSeqs<T>(value: T, by: number): T {
  if (by === 0 || typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    // The cast rests on map: the same shape, item by item.
    return value.map((item: unknown) => shiftSeqs(item, by)) as T;
  }
  const shifted = Object.entries(value).map(([name, inner]) => {
    if (seqNames.has(name) && typeof inner === "number") return [name, inner + by];
    return [name, foreign.has(name) ? inner : shiftSeqs(inner, by)];
  });
  return Object.fromEntries(shifted);
}

/** A stream whose entries are moved by `by`. */
export function shiftStream(source: TailSource, by: number): TailSource {
  if (by === 0) return source;
  return {
    addEventListener: (name, listener) =>
      source.addEventListener(name, (event) => {
        if (name !== "entry" || !(event instanceof MessageEvent)) return listener(event);
        listener(new MessageEvent(name, { data: JSON.stringify(shiftSeqs(JSON.parse(event.data), by)) }));
      }),
    close: () => source.close(),
  };
}
