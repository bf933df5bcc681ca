import type { FindHit } from "#lib/contract/logs/find.ts";
import { plainSnippet } from "./plain-snippet.ts";
import { VisibleText } from "./visible-text.tsx";

/** The words around a hit, with the hit highlighted. */
export function Snippet({ hit, className }: { hit: FindHit; className?: string }) {
  const { before, match, after } = plainSnippet(hit);
  return (
    <span className={className}>
      <VisibleText text={before} />
      <mark className="rounded-xs bg-find text-find-foreground">
        <VisibleText text={match} />
      </mark>
      <VisibleText text={after} />
    </span>
  );
}
