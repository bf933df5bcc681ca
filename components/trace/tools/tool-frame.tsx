"use client";

import { ChevronRight } from "lucide-react";
import { Children, type ReactNode, useMemo } from "react";
import { holds } from "#components/trace/find/find-text.ts";
import { useSought } from "#components/trace/find/sought.tsx";
import { VisibleText } from "#components/trace/text/visible-text.tsx";
import { useKeptOpen } from "#components/trace/trace-context.tsx";
import { cn } from "#components/ui/class-names.ts";
import type { LogEntry } from "#lib/contract/entry.ts";
import { ResultChips } from "./result-chips.tsx";
import { hasFailed, type ToolResult } from "./tool-result.ts";

/** What the card of every kind of tool is given. */
export type ToolProps<View> = { entry: LogEntry; result: ToolResult; view: View };

type ToolFrameProps = {
  entry: LogEntry;
  /** The one argument that matters, in one line. */
  headline: string;
  result: ToolResult;
  /** Figures of this kind of tool, before those that all have. */
  chips?: ReactNode;
  /** What can be done with the headline's whole text. */
  action?: ReactNode;
  className?: string;
  children?: ReactNode;
};

/**
 * The frame of a tool's card: one line that says it all, and below it what there is to read. In little room it is that line alone,
 * until it is opened; what failed, or holds what is looked for, is read all the same.
 */
export function ToolFrame({ entry, headline, result, chips, action, className, children }: ToolFrameProps) {
  const name = entry.tool_name;
  const sought = useSought();
  const [isOpen, setOpen] = useKeptOpen(`${entry.seq}.body`);
  const canFold = sought === null && !hasFailed(result) && Children.toArray(children).length > 0;
  // What is looked for may stand where the line is cut off.
  const isWhole = useMemo(() => sought !== null && holds(headline, sought.needle), [sought, headline]);
  return (
    <div className={cn("group/tool min-w-0 overflow-clip rounded-lg border border-border bg-card", className)}>
      <div className="flex min-h-9 flex-wrap items-center gap-x-2 gap-y-1 px-3 py-1.5 compact:min-h-7 compact:py-0.5">
        {canFold && (
          <button
            type="button"
            aria-expanded={isOpen}
            aria-label={isOpen ? "Fold the result" : "Show the result"}
            onClick={() => setOpen(!isOpen)}
            className="-ml-1.5 hidden size-5 shrink-0 items-center justify-center rounded-sm text-muted-foreground hover:bg-accent compact:inline-flex pointer-coarse:size-9"
          >
            <ChevronRight aria-hidden className={cn("size-3.5", isOpen && "rotate-90")} />
          </button>
        )}
        <span className="max-w-40 shrink-0 truncate text-muted-foreground text-xs" title={name ?? undefined}>
          <VisibleText text={name ?? "tool"} />
        </span>
        <span
          className={cn("min-w-0 flex-1 basis-40 font-mono text-[13px]", isWhole ? "wrap-anywhere" : "truncate")}
          title={headline}
        >
          <VisibleText text={headline} />
        </span>
        <span className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
          {chips}
          <ResultChips result={result} />
          {action && <span className={`-my-1 -mr-1.5 ${quietUntilWanted}`}>{action}</span>}
        </span>
      </div>
      <div className={cn(canFold && !isOpen && "compact:hidden")}>{children}</div>
    </div>
  );
}

/** Shown where a pointer is over the card, where the keyboard has come, and always where there is no pointer that hovers. */
const quietUntilWanted =
  "transition-opacity focus-within:opacity-100 group-hover/tool:opacity-100 [@media(hover:hover)]:opacity-0";

type ToolBodyProps = {
  children: ReactNode;
  label?: string;
  /** What can be done with the part, in its corner. */
  action?: ReactNode;
};

/** A part of a tool's card below its line. */
export function ToolBody({ children, label, action }: ToolBodyProps) {
  return (
    <div className="relative min-w-0 border-border border-t bg-code">
      {label !== undefined && <p className="px-3 pt-1.5 text-muted-foreground text-xs">{label}</p>}
      {children}
      {action && <span className={`absolute top-1 right-1.5 rounded-md bg-code ${quietUntilWanted}`}>{action}</span>}
    </div>
  );
}
