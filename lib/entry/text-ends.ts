/** Sizes in UTF-16 units; `gap` is put in place of what is left out, by default a line's end. */
export type TextEnds = { readonly head: number; readonly tail: number; readonly gap?: string };

/** How much of a text decides the outcome of a call. */
const outcomeEnds = { head: 2_000, tail: 1_000, gap: "\n...\n" } as const;

/** The parts of a long text that say most: all of a text that is not longer than both, otherwise its beginning and its end. */
export function endsOfText(text: string, { head, tail, gap = "\n" }: TextEnds = outcomeEnds): string {
  return text.length <= head + tail ? text : text.slice(0, head) + gap + text.slice(-tail);
}
