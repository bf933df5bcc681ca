"use client";

import { ArrowDown, ArrowUp, X } from "lucide-react";
import { type KeyboardEvent, useId, useLayoutEffect, useRef } from "react";
import { isComposing } from "#components/keys/composing.ts";
import { formatCount, formatCountOf } from "#components/shell/format-number.ts";
import { Snippet } from "#components/text/snippet.tsx";
import { VisibleText } from "#components/text/visible-text.tsx";
import { type FinderSnapshot, findCharactersMax, type TraceFinder } from "#components/trace/reader/trace-finder.ts";
import { useSnapshot } from "#components/trace/reader/use-snapshot.ts";
import { IconButton } from "#components/ui/icon-button.tsx";
import { SearchInput } from "#components/ui/search-input.tsx";
import { describeError } from "#lib/client/client-error.ts";
import type { FindHit } from "#lib/contract/logs/find.ts";

type FindBarProps = {
  finder: TraceFinder;
  /** The current hit, if its card does not show it. */
  hidden: FindHit | null;
  onClose: () => void;
};

/** Search bar for the run, shown over the top of its steps. */
export function FindBar({ finder, hidden, onClose }: FindBarProps) {
  const find = useSnapshot(finder);
  const input = useRef<HTMLInputElement>(null);
  const statusId = useId();
  useLayoutEffect(() => {
    if (find.calls === 0) return;
    input.current?.focus();
    // Text that the reader has typed meanwhile must not be selected, or their next letter would replace it.
    if (finder.snapshot.isFresh) input.current?.select();
  }, [finder, find.calls]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape" && !isComposing(event.nativeEvent)) onClose();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <search
      data-finder="run"
      aria-label="This run"
      className="absolute inset-x-2 top-2 z-20 grid gap-1 rounded-lg border border-border bg-popover p-1.5 text-popover-foreground shadow-md sm:right-4 sm:left-auto sm:w-96"
      onKeyDown={onKeyDown}
    >
      <div className="flex items-center gap-0.5">
        <SearchInput
          ref={input}
          value={find.text}
          maxLength={findCharactersMax}
          aria-label="Find in this run"
          aria-describedby={statusId}
          placeholder="Find in this run"
          autoComplete="off"
          spellCheck={false}
          boxClassName="min-w-0 flex-1"
          className="pr-24"
          onChange={(event) => finder.type(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || isComposing(event.nativeEvent)) return;
            event.preventDefault();
            void finder.step(event.shiftKey ? "previous" : "next");
          }}
        >
          <span className="pointer-events-none absolute top-1/2 right-2 max-w-22 -translate-y-1/2 truncate text-muted-foreground text-xs tabular-nums">
            {placeWords(find, finder.rank)}
          </span>
        </SearchInput>
        <StepButton finder={finder} direction="previous" />
        <StepButton finder={finder} direction="next" />
        <IconButton label="Close the search" shortcut="Esc" size="icon-sm" onClick={onClose}>
          <X />
        </IconButton>
      </div>
      {find.search !== null && (
        // Announced when the search is over, not as it grows.
        <p
          id={statusId}
          role="status"
          aria-live={find.found?.complete === false ? "off" : "polite"}
          className="px-2 pb-0.5 text-muted-foreground text-xs tabular-nums"
        >
          {statusWords(find)}
        </p>
      )}
      {hidden !== null && <Elsewhere hit={hidden} />}
    </search>
  );
}

const steps = {
  previous: { label: "Previous hit", shortcut: "⇧↵", Icon: ArrowUp },
  next: { label: "Next hit", shortcut: "↵", Icon: ArrowDown },
};

function StepButton({ finder, direction }: { finder: TraceFinder; direction: keyof typeof steps }) {
  const { label, shortcut, Icon } = steps[direction];
  return (
    <IconButton
      {...{ label, shortcut }}
      size="icon-sm"
      disabled={(finder.snapshot.found?.matching_logs ?? 0) === 0}
      onClick={() => void finder.step(direction)}
    >
      <Icon />
    </IconButton>
  );
}

/** A hit that its card does not show, because it is in a field that the card omits. */
function Elsewhere({ hit }: { hit: FindHit }) {
  return (
    <p className="border-border border-t px-2 pt-1.5 pb-0.5 text-xs [overflow-wrap:anywhere]">
      {hit.snippet === "" ? (
        <span className="text-muted-foreground">In a part of the step that is not shown here</span>
      ) : (
        <>
          <span className="text-muted-foreground">
            In <VisibleText text={hit.field} />, which the card does not show:{" "}
          </span>
          <Snippet hit={hit} className="font-mono" />
        </>
      )}
    </p>
  );
}

/** Position among the hits: `3 / 128`. */
function placeWords({ found, cursor }: FinderSnapshot, rank: number | null): string {
  if (found === null) return "";
  if (found.matching_logs === 0) return found.complete ? "0 / 0" : "…";
  const place = cursor === null || rank === null ? "…" : formatCount(rank + 1);
  return `${place} / ${formatCount(found.matching_logs)}${found.complete ? "" : "+"}`;
}

function statusWords({ found, error, stepError, wrapped, isStepping }: FinderSnapshot): string {
  const failure = stepError ?? error;
  if (failure !== null) return `The search failed: ${describeError(failure).detail}`;
  if (found === null) return "Searching…";
  if (found.complete && found.matching_logs === 0) {
    return found.matches === null ? "Not in the steps that the filter shows" : "Not in this run";
  }
  const steps = formatCountOf(found.matching_logs, "step");
  const counted =
    found.matches === null
      ? `${steps} that the filter shows`
      : `${formatCountOf(found.matches, "occurrence")} in ${steps}`;
  if (!found.complete) {
    return `${counted} · ${Math.floor((100 * found.searched_logs) / Math.max(1, found.total_logs))}% searched`;
  }
  if (isStepping) return `${counted} · searching…`;
  if (wrapped === null) return counted;
  if (found.matching_logs === 1) return `${counted} · no others`;
  return `${counted} · ${wrapped === "next" ? "wrapped to the first" : "wrapped to the last"}`;
}
