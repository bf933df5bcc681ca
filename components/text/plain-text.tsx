import { FoldedText } from "./fold.tsx";
import { VisibleText } from "./visible-text.tsx";

export type MarkdownProps = {
  text: string;
  /** Classes of the outermost element; a text color set here applies to all of it. */
  className?: string;
};

/** Prose without markup, with its line breaks; a long one is shown as output, folded and in pages. */
export function PlainText({ text, className = "" }: MarkdownProps) {
  if (isLongPlain(text)) return <FoldedText text={text} head={40} className={className} />;
  return (
    <div dir="auto" className={`min-w-0 whitespace-pre-wrap [overflow-wrap:anywhere] [font-kerning:none] ${className}`}>
      <VisibleText text={text} />
    </div>
  );
}

function isLongPlain(text: string): boolean {
  return text.length > 200_000 || text.split("\n", 501).length > 500;
}

/** Engines take quadratic time to break a long word if its letters are kerned: seconds for 32 kB of one letter. */
export function kerningOf(text: string): string {
  return text.split(/\s/).some((word) => word.length > 300) ? "[font-kerning:none]" : "";
}
