import { VisibleText } from "#components/text/visible-text.tsx";
import type { FindHit } from "#lib/contract/logs/find.ts";
import { markedSnippet } from "./snippet-marks.ts";

/** The words around a hit, with the search words highlighted. */
export function MarkedSnippet({ hit, text }: { hit: FindHit; text: string }) {
  const { snippet, marks } = markedSnippet(hit, text);
  const last = marks.at(-1)?.to ?? 0;
  return (
    <>
      {marks.map(({ from, to }, index) => (
        <span key={from}>
          <VisibleText text={snippet.slice(marks[index - 1]?.to ?? 0, from)} />
          <mark className="rounded-xs bg-find text-find-foreground">
            <VisibleText text={snippet.slice(from, to)} />
          </mark>
        </span>
      ))}
      <VisibleText text={snippet.slice(last)} />
    </>
  );
}
