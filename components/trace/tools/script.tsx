"use client";

import { lazy, Suspense } from "react";
import { useOpenForSought, useSought } from "#components/trace/find/sought.tsx";
import { isHidden } from "#components/trace/find/sought-place.ts";
import { FoldedText } from "#components/trace/text/fold.tsx";
import { useKeptOpen } from "#components/trace/trace-context.tsx";
import { Button } from "#components/ui/button.tsx";
import { ToolBody } from "./tool-frame.tsx";

const CodeBlock = lazy(() =>
  import("#components/trace/text/code-block.tsx").then((module) => ({ default: module.CodeBlock })),
);

type ScriptProps = {
  text: string;
  language: "sh" | "javascript" | "python";
  /** Names the part, so that what the reader opened stays open. */
  keptAs: string;
};

const foldedLines = 8;
/** Fewer hidden lines than this are shown: a button would take as much room. */
const slackLines = 3;
/** Longer scripts are shown as text, in pages. */
const highlightedMax = 100_000;

/** A command of several lines, or a program, in colours. */
export function Script({ text, language, keptAs }: ScriptProps) {
  const lines = text.split("\n");
  const canFold = lines.length > foldedLines + slackLines;
  const folded = lines.slice(0, foldedLines).join("\n");
  const sought = useSought();
  const [isOpen, setOpen] = useOpenForSought(...useKeptOpen(keptAs), isHidden(sought, text, folded));
  if (text.length > highlightedMax) {
    return (
      <ToolBody label="Script">
        <FoldedText text={text} head={foldedLines} isOpen={isOpen} onOpenChange={setOpen} className="py-1.5" />
      </ToolBody>
    );
  }
  const shown = canFold && !isOpen ? folded : text;
  return (
    <ToolBody label="Script">
      <Suspense fallback={<FoldedText text={shown} head={lines.length} className="py-2" />}>
        <CodeBlock text={shown} language={language} bare />
      </Suspense>
      {canFold && (
        <Button
          variant="ghost"
          size="sm"
          className="m-1 text-muted-foreground"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? "Show less" : `Show all ${lines.length} lines`}
        </Button>
      )}
    </ToolBody>
  );
}
