"use client";

import { ChevronRight } from "lucide-react";
import { Children, type ReactNode, useMemo } from "react";
import { formatCountOf } from "#components/shell/format-number.ts";
import { FoldedText } from "#components/text/fold.tsx";
import { JsonTree } from "#components/text/json-tree.tsx";
import { useCurrentMatch } from "#components/text/marks/current-match.tsx";
import { holds } from "#components/text/marks/find-text.ts";
import { VisibleText } from "#components/text/visible-text.tsx";
import { entryOutcome, entryResult, entryView } from "#components/trace/entry/parts/entry-meaning.ts";
import { useStoredOpen } from "#components/trace/reader/trace-context.tsx";
import { cn } from "#components/ui/class-names.ts";
import type { LogEntry } from "#lib/contract/logs/entry.ts";
import { inputRest } from "#lib/entry/input-rest.ts";
import type { ToolResult } from "#lib/entry/result.ts";
import { showsTerminal } from "#lib/entry/shows-terminal.ts";
import { type FoldedPart, FoldedParts } from "./folded-parts.tsx";
import { ResultChips } from "./result-chips.tsx";
import { ToolName } from "./tool-name.tsx";

/** Props of every tool card. */
export type ToolProps<View> = { entry: LogEntry; view: View };

type ToolFrameProps = {
  entry: LogEntry;
  /** The most important argument, on one line. */
  headline: string;
  /** Whether the headline is code: a command, a path, a pattern. Otherwise it is prose. */
  isCode?: boolean;
  /** The displayed part of the result, if it is not all of it. */
  result?: ToolResult;
  /** Facts specific to this kind of tool, before the common ones. */
  chips?: ReactNode;
  /** Whether the body shows the headline's words once more: a match in both is one. */
  isRepeated?: boolean;
  /** Actions on the complete headline. */
  action?: ReactNode;
  /** The tool's working folder; null if unknown. */
  place?: string | null;
  /** Parts that few readers need, before the common ones. */
  folded?: readonly FoldedPart[];
  className?: string;
  children?: ReactNode;
};

/**
 * Frame of a tool's card: one line that summarizes the call, and the details below it, including fields that no other part shows.
 * In compact density only the line is shown until the card is opened, but failures and search matches are always shown in full.
 */
export function ToolFrame(props: ToolFrameProps) {
  const {
    entry,
    headline,
    isCode = true,
    isRepeated = false,
    result = entryResult(entry),
    chips,
    action,
    place = null,
  } = props;
  const { folded, className, children } = props;
  const outcome = entryOutcome(entry);
  const currentMatch = useCurrentMatch();
  const [isOpen, setOpen] = useStoredOpen(`${entry.seq}.body`);
  const parts = [...(folded ?? []), ...inputOf(entry), ...moreOf(entry, result)];
  const hasBody =
    parts.length > 0 ||
    result.chips.length > 0 ||
    result.isUnreported ||
    place !== null ||
    entry.input_hidden !== undefined ||
    Children.toArray(children).length > 0;
  const canFold = currentMatch === null && outcome !== "failed" && hasBody;
  // The match may be in the hidden part of the line.
  const isWhole = useMemo(
    () => currentMatch !== null && holds(headline, currentMatch.needle),
    [currentMatch, headline],
  );
  return (
    <div
      data-outcome={outcome}
      className={cn(
        "group/tool min-w-0 overflow-clip rounded-lg border border-border bg-card",
        outcome === "failed" && "border-status-failed/40",
        className,
      )}
    >
      <div className="flex min-h-9 flex-wrap items-center gap-x-2 gap-y-1 px-3 py-1.5 compact:min-h-7 compact:py-0.5">
        {canFold && (
          <button
            type="button"
            aria-expanded={isOpen}
            aria-label={isOpen ? "Hide the result" : "Show the result"}
            onClick={() => setOpen(!isOpen)}
            className="-ml-1.5 hidden size-5 shrink-0 items-center justify-center rounded-sm text-muted-foreground hover:bg-accent compact:inline-flex pointer-coarse:size-9"
          >
            <ChevronRight aria-hidden className={cn("size-3.5", isOpen && "rotate-90")} />
          </button>
        )}
        <ToolName name={entry.tool_name} />
        <span
          className={cn(
            "min-w-0 flex-1 basis-40 text-[13px]",
            isCode && "font-mono",
            isWhole ? "wrap-anywhere" : "truncate",
          )}
          title={headline}
          data-label={isRepeated ? "" : undefined}
        >
          <VisibleText text={headline} isCode={isCode} />
        </span>
        <span className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
          {action && <span className={`-my-1 ${quietUntilWanted}`}>{action}</span>}
          {chips}
          <ResultChips outcome={outcome} result={result} />
        </span>
      </div>
      <div className={cn(canFold && !isOpen && "compact:hidden")}>
        <HeaderLines chips={place === null ? result.chips : [{ label: "in", value: place }, ...result.chips]} />
        {entry.input_hidden !== undefined && (
          <p className="px-3 pb-2 text-[13px] text-muted-foreground">
            {formatCountOf(entry.input_hidden, "character")} of its input hidden
          </p>
        )}
        {children}
        {result.isUnreported && (
          <p className="px-3 pb-2 text-[13px] text-muted-foreground">
            This agent does not report output, so it is not known whether the call worked.
          </p>
        )}
        <FoldedParts parts={parts} />
      </div>
    </div>
  );
}

/** Figures that a tool printed before its output. */
function HeaderLines({ chips }: { chips: ToolResult["chips"] }) {
  if (chips.length === 0) return null;
  return (
    <dl className="flex flex-wrap gap-x-3 gap-y-0.5 px-3 pb-1.5 text-muted-foreground text-xs">
      {chips.map(({ label, value }) => (
        <div key={label} className="flex min-w-0 max-w-full gap-1">
          <dt className="shrink-0">{label}</dt>
          <dd className="min-w-0 max-w-48 truncate tabular-nums" title={value}>
            <VisibleText text={value} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Fields of the input that no other part shows. */
function inputOf(entry: LogEntry): FoldedPart[] {
  const rest = inputRest(entryView(entry), entry.tool_input);
  if (rest === null) return [];
  const content = <JsonTree value={rest} label="More of the input" />;
  return [{ openKey: `${entry.seq}.input`, label: restLabel("Input", rest), value: rest, content }];
}

/** The rest of a result: messages from the harness to the agent, and fields that no other part shows. */
function moreOf(entry: LogEntry, { reminders, rest }: ToolResult): FoldedPart[] {
  const parts: FoldedPart[] = [];
  if (reminders.length > 0) {
    const content = <FoldedText text={reminders.join("\n\n")} head={40} className="py-2" />;
    const label = reminders.length === 1 ? "Reminder to the agent" : `${reminders.length} reminders to the agent`;
    parts.push({ openKey: `${entry.seq}.reminders`, label, value: reminders, content });
  }
  if (rest !== null) {
    const content = <JsonTree isPrinted={showsTerminal(entry)} value={rest} label="More of the result" />;
    parts.push({ openKey: `${entry.seq}.rest`, label: restLabel("More", rest), value: rest, content });
  }
  return parts;
}

/** Names of the fields if there are few, otherwise their number. */
function restLabel(what: string, rest: Record<string, unknown>): string {
  const names = Object.keys(rest);
  const listed = names.join(", ");
  return listed.length <= 60 ? `${what}: ${listed}` : `${what}: ${formatCountOf(names.length, "field")}`;
}

/** Visible while the pointer is over the card or the focus is in it; always visible on devices without hover. */
const quietUntilWanted =
  "transition-opacity focus-within:opacity-100 group-hover/tool:opacity-100 [@media(hover:hover)]:opacity-0";

type ToolBodyProps = {
  children: ReactNode;
  label?: string;
  /** Actions on the part, in its corner. */
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
