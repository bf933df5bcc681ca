import type { ReactNode } from "react";

/** The text with what stands between backticks as code. */
export function codeWords(text: string): ReactNode[] {
  return text.split("`").map((part, index) => {
    // Every other part stood between backticks.
    if (index % 2 === 0) return part;
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never change places.
    return <code key={index}>{part}</code>;
  });
}
