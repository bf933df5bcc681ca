import { VisibleText } from "#components/trace/text/visible-text.tsx";
import type { FindHit } from "#lib/contract/find.ts";

/** The words around a hit, the hit itself marked. Ends that were cut have an ellipsis. */
export function Snippet({ hit, className }: { hit: FindHit; className?: string }) {
  const { snippet, snippet_start: start, snippet_length: length } = hit;
  return (
    <span className={className}>
      <VisibleText text={snippet.slice(0, start)} />
      <mark className="rounded-xs bg-find text-find-foreground">
        <VisibleText text={snippet.slice(start, start + length)} />
      </mark>
      <VisibleText text={snippet.slice(start + length)} />
    </span>
  );
}
