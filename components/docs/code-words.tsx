import type { ReactNode } from "react";

/** Renders text between backticks as code. */
export function codeWords(text: string): ReactNode[] {
  return text.split("`").map((part, index) => {
    // Every other part was between backticks.
    if (index % 2 === 0) return part;
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never change places.
    return <code key={index}>{part}</code>;
  });
}
