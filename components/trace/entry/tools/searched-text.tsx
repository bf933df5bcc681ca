"use client";

import { ArrowDown, ArrowUp, X } from "lucide-react";
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useMemo, useRef, useState } from "react";
import { isComposing } from "#components/keys/composing.ts";
import { formatCount } from "#components/shell/format-number.ts";
import { arrive, placeInItem } from "#components/text/marks/arrive.ts";
import {
  type CurrentMatch,
  CurrentMatchProvider,
  useCurrentMatch,
  useFindState,
  useWholeEntry,
} from "#components/text/marks/current-match.tsx";
import { needleOf } from "#components/text/marks/find-text.ts";
import { markedMatchIn, paintMarks } from "#components/text/marks/paint-marks.ts";
import { placesMax } from "#components/text/marks/text-scan.ts";
import { useTextScan } from "#components/text/marks/use-text-scan.ts";
import { findCharactersMax } from "#components/trace/reader/trace-finder.ts";
import { IconButton } from "#components/ui/icon-button.tsx";
import { Input } from "#components/ui/input.tsx";

type SearchedTextProps = {
  seq: number;
  text: string;
  field: RefObject<HTMLInputElement | null>;
  onClose: () => void;
  children: ReactNode;
};

/** A text with its own search field above it, which stays in view while the reader moves through the text. */
export function SearchedText({ seq, text, field, onClose, children }: SearchedTextProps) {
  const outer = useCurrentMatch();
  const [typed, setTyped] = useState(outer?.needle ?? "");
  const [index, setIndex] = useState(0);
  const body = useRef<HTMLDivElement>(null);
  const needle = needleOf(typed);
  const found = useTextScan(text, needle);
  const count = found?.places.length ?? 0;
  const at = found?.places[Math.min(index, count - 1)] ?? null;
  const currentMatch = useMemo((): CurrentMatch | null => (at === null ? null : { needle, at }), [needle, at]);
  useMarks(body, seq, currentMatch);
  const { ask: whole } = useWholeEntry();
  useEffect(() => whole(), [whole]);

  const step = (by: 1 | -1) => count > 0 && setIndex((Math.min(index, count - 1) + by + count) % count);
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event.nativeEvent)) return;
    if (event.key === "Escape") onClose();
    else if (event.key === "Enter" && event.target === field.current) step(event.shiftKey ? -1 : 1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys belong to the field and the buttons in it. */}
      <div
        data-finder
        className="sticky top-0 z-10 flex items-center gap-1 border-border border-b bg-code px-1.5 py-1"
        onKeyDown={onKeyDown}
      >
        <Input
          ref={field}
          value={typed}
          maxLength={findCharactersMax}
          aria-label="Search in this output"
          placeholder="Search in this output"
          autoComplete="off"
          spellCheck={false}
          className="h-control-sm max-w-72"
          onChange={(event) => {
            setTyped(event.target.value);
            setIndex(0);
          }}
        />
        <span role="status" className="min-w-16 px-1 text-muted-foreground text-xs tabular-nums">
          {needle === "" ? "" : placeWords(index, count, found?.isDone ?? false)}
        </span>
        <IconButton label="Previous hit" shortcut="⇧↵" size="icon-sm" disabled={count === 0} onClick={() => step(-1)}>
          <ArrowUp />
        </IconButton>
        <IconButton label="Next hit" shortcut="↵" size="icon-sm" disabled={count === 0} onClick={() => step(1)}>
          <ArrowDown />
        </IconButton>
        <IconButton label="Close the search in this output" shortcut="Esc" size="icon-sm" onClick={onClose}>
          <X />
        </IconButton>
      </div>
      <div ref={body}>
        <CurrentMatchProvider value={currentMatch ?? outer}>{children}</CurrentMatchProvider>
      </div>
    </>
  );
}

function placeWords(index: number, count: number, isDone: boolean): string {
  if (count === 0) return isDone ? "0 / 0" : "…";
  const isAll = isDone && count < placesMax;
  return `${formatCount(Math.min(index, count - 1) + 1)} / ${formatCount(count)}${isAll ? "" : "+"}`;
}

/** Highlights matches in a text and brings the current one into view. */
function useMarks(body: RefObject<HTMLElement | null>, seq: number, currentMatch: CurrentMatch | null): void {
  const finding = useFindState();
  useEffect(() => {
    const root = body.current;
    const view = root?.closest("[data-view-area]") ?? null;
    if (root === null || view === null || currentMatch === null) return;
    const { needle } = currentMatch;
    const marks = paintMarks({ root, needle, currentOf: () => markedMatchIn(root, needle) });
    const stop = arrive({
      view,
      place: marks.current,
      show: (range) => finding.showPlace(seq, placeInItem(root, range)),
      isHere: () => false,
      onMissing: () => {},
    });
    return () => {
      stop();
      marks.stop();
    };
  }, [body, seq, currentMatch, finding]);
}
