import type { ReactNode } from "react";
import { hasInvisible, piecesOf } from "#lib/entry/visible-text.ts";

/** Untrusted text: characters that would hide or reorder others are shown by their code; in code also spaces that are none. */
export function VisibleText({ text, isCode = false }: { text: string; isCode?: boolean }): ReactNode {
  return visibleNodes(text, isCode);
}

/** {@link VisibleText} without a component, for large numbers of texts: most need no change. */
export function visibleNodes(text: string, isCode = false): ReactNode {
  if (!hasInvisible(text, isCode)) return text;
  return piecesOf(text, isCode).map((piece) =>
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
