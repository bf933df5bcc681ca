"use client";

import { ListFilter, MessageSquareQuote, Search, X } from "lucide-react";
import { Suspense, useRef, useState } from "react";
import { formatCount } from "#components/shell/format-number.ts";
import { VisibleText } from "#components/text/visible-text.tsx";
import { noTraceFilter, type TraceFilter, traceFilterKey } from "#components/trace/reader/trace-filter.ts";
import { ViewMenu } from "#components/trace/steps/density/view-menu.tsx";
import { Button } from "#components/ui/button.tsx";
import { cn } from "#components/ui/class-names.ts";
import { lazyPart } from "#components/ui/use-loaded.ts";
import type { TraceSource } from "#lib/client/pages/trace-source.ts";
import { messageTypeLabel } from "#lib/entry/labels.ts";

// Not needed for reading, so nothing waits for it.
const FilterMenu = lazyPart(async () => (await import("./filter-menu.tsx")).FilterMenu);

type FilterRowProps = {
  source: TraceSource;
  filter: TraceFilter;
  totalLogs: number;
  /** Number of matching entries; null without a filter, and while unknown. */
  found: { count: number; isComplete: boolean } | null;
  onFilter: (filter: TraceFilter) => void;
  /** Opens the search in the run. */
  onFind: () => void;
  /** Whether groups are open by default; null if the list has none. */
  areGroupsOpen: boolean | null;
  onFoldAll: () => void;
  /** Whether the menu is open. */
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
};

/** Filter of the steps, in one line: a menu, a chip per condition, the number of matches, and the view. */
export function FilterRow(props: FilterRowProps) {
  const { source, totalLogs, found, onFind, areGroupsOpen, onFoldAll, isOpen, onOpenChange } = props;
  const [filter, onFilter] = useWantedFilter(props);
  const button = useRef<HTMLButtonElement>(null);
  const [wasOpened, setWasOpened] = useState(false);
  if (isOpen && !wasOpened) setWasOpened(true);
  const chips = chipsOf(filter);
  const isFiltered = traceFilterKey(filter) !== "";
  return (
    <search
      aria-label="Steps"
      className="flex min-h-10 min-w-0 items-center gap-1.5 border-border border-b px-3 py-1 pointer-coarse:min-h-12"
    >
      <Button
        ref={button}
        variant="ghost"
        size="sm"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        aria-keyshortcuts="f"
        className={cn("font-normal", chips.length === 0 && "text-muted-foreground")}
        onClick={() => onOpenChange(!isOpen)}
      >
        <ListFilter aria-hidden />
        Filter
      </Button>
      {wasOpened && (
        <Suspense>
          <FilterMenu {...{ source, filter, onFilter, isOpen, onOpenChange, button }} />
        </Suspense>
      )}
      <div className="flex min-w-0 flex-1 items-center gap-1.5 overflow-x-auto py-px [scrollbar-width:none]">
        {chips.map(({ label, without }) => (
          <button
            key={label}
            type="button"
            aria-label={`Remove the filter ${label}`}
            title="Remove"
            onClick={() => onFilter(without)}
            className="inline-flex h-6 max-w-64 shrink-0 items-center gap-1 rounded-md border border-border bg-muted pr-1 pl-2 text-xs hover:bg-accent pointer-coarse:h-9"
          >
            <span className="min-w-0 truncate">
              <VisibleText text={label} />
            </span>
            <X aria-hidden className="size-3 shrink-0 text-muted-foreground" />
          </button>
        ))}
        {isFiltered && (
          <Button
            variant="ghost"
            size="sm"
            className="font-normal text-muted-foreground"
            onClick={() => onFilter(noTraceFilter)}
          >
            Clear all
          </Button>
        )}
      </div>
      {isFiltered && (
        <ResultCount
          key={traceFilterKey(filter)}
          // The count is of the filter in the address.
          found={traceFilterKey(filter) === traceFilterKey(props.filter) ? found : null}
          totalLogs={totalLogs}
        />
      )}
      <Button
        variant="ghost"
        size="sm"
        aria-keyshortcuts="/ Control+f Meta+f"
        title="Find in this run"
        className="font-normal text-muted-foreground"
        onClick={onFind}
      >
        <Search aria-hidden />
        <span className="max-sm:sr-only">Find</span>
      </Button>
      <Button
        variant="ghost"
        size="sm"
        aria-pressed={filter.isProse}
        title="Only thoughts, messages and answers"
        className={cn("font-normal", filter.isProse ? "bg-accent" : "text-muted-foreground")}
        onClick={() => onFilter({ ...filter, isProse: !filter.isProse })}
      >
        <MessageSquareQuote aria-hidden />
        <span className="max-sm:sr-only">Thoughts and answers</span>
      </Button>
      <ViewMenu areGroupsOpen={areGroupsOpen} onFoldAll={onFoldAll} />
    </search>
  );
}

/** A choice takes effect at once, also for the next choice; the address follows when the page has time. */
function useWantedFilter({ filter: given, onFilter }: Pick<FilterRowProps, "filter" | "onFilter">) {
  const [wanted, setWanted] = useState({ given, filter: given });
  if (wanted.given !== given) setWanted({ given, filter: given });
  const choose = (filter: TraceFilter) => {
    setWanted({ given, filter });
    onFilter(filter);
  };
  return [wanted.filter, choose] as const;
}

type ResultCountProps = Pick<FilterRowProps, "found" | "totalLogs">;

/** "312 of 30,000". Announced to screen readers once, not as it grows. */
function ResultCount({ found, totalLogs }: ResultCountProps) {
  const [announced, setAnnounced] = useState<string | null>(null);
  if (found?.isComplete && announced === null) {
    setAnnounced(`Showing ${formatCount(found.count)} of ${formatCount(totalLogs)} steps`);
  }
  return (
    <>
      <span className="shrink-0 whitespace-nowrap text-muted-foreground text-xs tabular-nums" data-filter-count>
        {found === null
          ? "…"
          : `${formatCount(found.count)}${found.isComplete ? "" : " so far"} of ${formatCount(totalLogs)}`}
      </span>
      <span role="status" className="sr-only">
        {announced}
      </span>
    </>
  );
}

type Chip = { label: string; without: TraceFilter };

function chipsOf(filter: TraceFilter): Chip[] {
  const { types, tools, isErrors, text } = filter;
  return [
    ...types.map((type) => ({
      label: messageTypeLabel(type),
      without: { ...filter, types: types.filter((other) => other !== type) },
    })),
    ...tools.map((tool) => ({
      label: `Tool: ${tool}`,
      without: { ...filter, tools: tools.filter((other) => other !== tool) },
    })),
    ...(isErrors ? [{ label: "Errors only", without: { ...filter, isErrors: false } }] : []),
    ...(text.trim() === "" ? [] : [{ label: `“${text}”`, without: { ...filter, text: "" } }]),
  ];
}
