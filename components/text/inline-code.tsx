import { codeSpansOf } from "./code-spans.ts";
import { VisibleText } from "./visible-text.tsx";

/** A message for people with commands and names between backticks; nothing else in it is markup. */
export function InlineCode({ text }: { text: string }) {
  return codeSpansOf(text).map((part) =>
    part.isCode ? (
      <code key={part.id} className="rounded-sm bg-muted px-1 py-px text-[0.92em]">
        <VisibleText text={part.text} />
      </code>
    ) : (
      <VisibleText key={part.id} text={part.text} />
    ),
  );
}
