"use client";

import { ArrowDown, ArrowUp, X } from "lucide-react";
import { type KeyboardEvent, type RefObject, useId } from "react";
import { formatCount, formatCountOf } from "#components/shell/format-number.ts";
import { VisibleText } from "#components/trace/text/visible-text.tsx";
import { IconButton } from "#components/ui/icon-button.tsx";
import { SearchInput } from "#components/ui/search-input.tsx";
import { describeError } from "#lib/client/client-error.ts";
import type { FindHit } from "#lib/contract/find.ts";
import { Snippet } from "./snippet.tsx";
import { type Find, findCharactersMax } from "./use-find.ts";

type FindBarProps = {
  find: Find;
  /** The hit that is gone to stands where its card does not show it. */
  isUnseen: boolean;
  input: RefObject<HTMLInputElement | null>;
  onClose: () => void;
};

/** Looks for text in the run: over the steps, at their top. */
export function FindBar({ find, isUnseen, input, onClose }: FindBarProps) {
  const statusId = useId();
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") onClose();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const hit = isUnseen ? (find.cursor?.hit ?? null) : null;
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
          onChange={(event) => find.setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
            event.preventDefault();
            find.step(event.shiftKey ? "previous" : "next");
          }}
        >
          <span className="pointer-events-none absolute top-1/2 right-2 max-w-22 -translate-y-1/2 truncate text-muted-foreground text-xs tabular-nums">
            {placeWords(find)}
          </span>
        </SearchInput>
        <StepButton find={find} direction="previous" />
        <StepButton find={find} direction="next" />
        <IconButton label="Close the search" shortcut="Esc" size="icon-sm" onClick={onClose}>
          <X />
        </IconButton>
      </div>
      {find.q !== "" && (
        <p id={statusId} role="status" className="px-2 pb-0.5 text-muted-foreground text-xs tabular-nums">
          {statusWords(find)}
        </p>
      )}
      {hit !== null && <Elsewhere hit={hit} />}
    </search>
  );
}

const steps = {
  previous: { label: "Previous hit", shortcut: "⇧↵", Icon: ArrowUp },
  next: { label: "Next hit", shortcut: "↵", Icon: ArrowDown },
};

function StepButton({ find, direction }: { find: Find; direction: keyof typeof steps }) {
  const { label, shortcut, Icon } = steps[direction];
  return (
    <IconButton
      {...{ label, shortcut }}
      size="icon-sm"
      disabled={find.found === null || find.found.matching_logs === 0}
      onClick={() => find.step(direction)}
    >
      <Icon />
    </IconButton>
  );
}

/** What was found where the card does not show it: in a field that it leaves out. */
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

/** Where the reader is among the hits: `3 / 128`. */
function placeWords({ q, found, rank, cursor }: Find): string {
  if (q === "" || found === null) return "";
  if (found.matching_logs === 0) return found.complete ? "0 / 0" : "…";
  const place = cursor === null || rank === null ? "…" : formatCount(rank + 1);
  return `${place} / ${formatCount(found.matching_logs)}${found.complete ? "" : "+"}`;
}

function statusWords({ found, error, wrapped, isStepping }: Find): string {
  if (error !== null) return `The search failed: ${describeError(error).detail}`;
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
  if (found.matching_logs === 1) return `${counted} · no other`;
  return `${counted} · ${wrapped === "next" ? "began again at the first" : "went on from the last"}`;
}
