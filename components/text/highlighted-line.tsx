import type { ReactNode } from "react";
import { lookAlikesIn } from "#lib/entry/look-alikes.ts";
import type { HighlightToken } from "./highlight-protocol.ts";
import { VisibleText } from "./visible-text.tsx";

/** Range of a line in UTF-16 units, `to` exclusive. */
export type Mark = { from: number; to: number };

type HighlightedLineProps = {
  text: string;
  /** Null while the colors are unknown. */
  tokens: readonly HighlightToken[] | null;
  /** Ranges with their own background, in order, without overlap. */
  marks?: readonly Mark[];
  markClassName?: string;
};

/** One line of code, highlighted if the colors are known, with marks behind some of its words. */
export function HighlightedLine({ text, tokens, marks = [], markClassName = "" }: HighlightedLineProps): ReactNode {
  // Colors and marks would take a word apart whose letters are judged together.
  if ((tokens === null && marks.length === 0) || lookAlikesIn(text).length > 0)
    return <VisibleText text={text} isCode />;
  return linePieces(text, tokens ?? [], marks).map(({ from, to, token, isMarked }) => (
    <span
      key={from}
      className={`${token === null ? "" : colorClass} ${token?.italic ? "italic" : ""} ${token?.bold ? "font-semibold" : ""} ${isMarked ? markClassName : ""}`}
      style={token === null ? undefined : ({ "--code-light": token.light, "--code-dark": token.dark } as object)}
    >
      <VisibleText text={text.slice(from, to)} isCode />
    </span>
  ));
}

const colorClass = "text-(--code-light) dark:text-(--code-dark)";

type Piece = { from: number; to: number; token: HighlightToken | null; isMarked: boolean };

function linePieces(text: string, tokens: readonly HighlightToken[], marks: readonly Mark[]): Piece[] {
  const pieces: Piece[] = [];
  let place = 0;
  let tokenIndex = 0;
  let tokenEnd = tokens[0]?.length ?? Number.POSITIVE_INFINITY;
  let markIndex = 0;
  while (place < text.length) {
    while (tokenEnd <= place) {
      tokenIndex += 1;
      tokenEnd += tokens[tokenIndex]?.length ?? Number.POSITIVE_INFINITY;
    }
    while ((marks[markIndex]?.to ?? Number.POSITIVE_INFINITY) <= place) markIndex += 1;
    const mark = marks[markIndex];
    const isMarked = mark !== undefined && mark.from <= place;
    const markEdge = mark === undefined ? text.length : isMarked ? mark.to : mark.from;
    const to = Math.min(text.length, tokenEnd, markEdge);
    pieces.push({ from: place, to, token: tokens[tokenIndex] ?? null, isMarked });
    place = to;
  }
  return pieces;
}
