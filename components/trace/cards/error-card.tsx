"use client";

import { ChevronRight } from "lucide-react";
import { valueHolds } from "#components/trace/find/find-text.ts";
import { useOpenForSought, useSought } from "#components/trace/find/sought.tsx";
import { errorWordsOf } from "#components/trace/observation.ts";
import { FoldedText } from "#components/trace/text/fold.tsx";
import { JsonTree } from "#components/trace/text/json-tree.tsx";
import { VisibleText } from "#components/trace/text/visible-text.tsx";
import { useKeptOpen } from "#components/trace/trace-context.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { Button } from "#components/ui/button.tsx";
import { cn } from "#components/ui/class-names.ts";
import type { CardProps } from "./card-props.ts";
import { Thought } from "./thought.tsx";

/** What went wrong: the message first, what programs know of it folded. */
export function ErrorCard({ entry }: CardProps) {
  const { code, message, details } = errorWordsOf(entry.observation);
  const sought = useSought();
  const hidesSought =
    sought !== null && !valueHolds([code, message, entry.thought], sought.needle) && valueHolds(details, sought.needle);
  const [isOpen, setOpen] = useOpenForSought(...useKeptOpen(`${entry.seq}.details`), hidesSought);
  return (
    <div className="grid gap-2">
      <Thought text={entry.thought} seq={entry.seq} />
      <div className="overflow-hidden rounded-lg border border-status-failed/40 bg-card">
        <div className="grid gap-2 px-4 py-3">
          <div className="flex flex-wrap items-center gap-2">
            <h2 className="font-medium text-[13px] text-status-failed">Error</h2>
            {code !== null && (
              <Badge variant="outline" className="font-mono">
                <VisibleText text={code} />
              </Badge>
            )}
          </div>
          <p className="whitespace-pre-wrap [overflow-wrap:anywhere]">
            <VisibleText text={message} />
          </p>
        </div>
        {details !== null && (
          <div className="border-border border-t">
            <Button
              variant="ghost"
              size="sm"
              className="m-1 text-muted-foreground"
              aria-expanded={isOpen}
              onClick={() => setOpen(!isOpen)}
            >
              <ChevronRight aria-hidden className={cn(isOpen && "rotate-90")} />
              Details
            </Button>
            {isOpen && (
              <div className="border-border border-t bg-code">
                {typeof details === "string" ? (
                  <FoldedText text={details} ansi head={40} className="py-2" />
                ) : (
                  <JsonTree value={details} label="Details of the error" />
                )}
              </div>
            )}
          </div>
        )}
      </div>
    </div>
  );
}
