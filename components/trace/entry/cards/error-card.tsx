"use client";

import { Suspense } from "react";
import { FoldedText } from "#components/text/fold.tsx";
import { InlineCode } from "#components/text/inline-code.tsx";
import { JsonTree } from "#components/text/json-tree.tsx";
import { useCurrentMatch, useOpenForMatch } from "#components/text/marks/current-match.tsx";
import { valueHolds } from "#components/text/marks/value-holds.ts";
import { thoughtWithoutMessage } from "#components/trace/entry/parts/observation.ts";
import { Thought } from "#components/trace/entry/parts/thought.tsx";
import { useStoredOpen } from "#components/trace/reader/trace-context.tsx";
import { Disclosure } from "#components/ui/disclosure.tsx";
import { lazyPart } from "#components/ui/use-loaded.ts";
import { errorWordsOf } from "#lib/entry/error-words.ts";
import { plainTerminalText } from "#lib/entry/terminal-text.ts";
import type { CardProps } from "./card-props.ts";

const RetryTurn = lazyPart(async () => (await import("#components/trace/entry/parts/retry-turn.tsx")).default);

/** An error: the message first, details for programs folded. */
export function ErrorCard({ entry }: CardProps) {
  const { code, message: printed, details } = errorWordsOf(entry.observation);
  const message = plainTerminalText(printed);
  const currentMatch = useCurrentMatch();
  const hidesMatch =
    currentMatch !== null &&
    !valueHolds([message, entry.thought], currentMatch.needle) &&
    valueHolds([code, details], currentMatch.needle);
  const [isOpen, setOpen] = useOpenForMatch(...useStoredOpen(`${entry.seq}.details`), hidesMatch);
  return (
    <div className="grid gap-2">
      <Thought text={thoughtWithoutMessage(entry.thought, message)} seq={entry.seq} />
      <div className="overflow-hidden rounded-lg border border-status-failed/40 bg-card">
        <div className="grid gap-2 px-4 py-3">
          <h2 className="font-medium text-[13px] text-status-failed">Error</h2>
          <p className="whitespace-pre-wrap [overflow-wrap:anywhere]" dir="auto">
            <InlineCode text={message} />
          </p>
          {code === "sign_in_needed" && (
            <Suspense>
              <RetryTurn seq={entry.seq} />
            </Suspense>
          )}
        </div>
        {(details !== null || code !== null) && (
          <div className="border-border border-t">
            <Disclosure label="Details" isOpen={isOpen} onChange={setOpen} className="m-1" />
            {isOpen && (
              <div className="border-border border-t bg-code">
                {code !== null && (
                  <p className="px-3 pt-2 text-[13px] text-muted-foreground">
                    Code <code className="text-foreground">{code}</code>
                  </p>
                )}
                {details === null ? (
                  <div className="h-2" />
                ) : typeof details === "string" ? (
                  <FoldedText text={details} ansi head={40} className="py-2" />
                ) : (
                  <JsonTree isPrinted value={details} label="Details of the error" />
                )}
              </div>
            )}
          </div>
        )}
      </div>
    </div>
  );
}
