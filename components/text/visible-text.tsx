import type { ReactNode } from "react";
import { hasInvisible, piecesOf } from "#lib/entry/visible-text.ts";

/** Untrusted text: characters that would hide or reorder others are shown by their code. */
export function VisibleText({ text }: { text: string }): ReactNode {
  return visibleNodes(text);
}

/** {@link VisibleText} without a component, for large numbers of texts: most need no change. */
export function visibleNodes(text: string): ReactNode {
  if (!hasInvisible(text)) return text;
  return piecesOf(text).map((piece) =>
    piece.kind === "text" ? (
      piece.text
    ) : (
      <span
        key={piece.at}
        className="rounded-sm bg-muted px-0.5 font-mono text-[0.85em] text-status-waiting [unicode-bidi:isolate]"
        title={piece.name}
      >
        {`⟦${piece.label}⟧`}
      </span>
    ),
  );
}
