"use client";

import { type ReactNode, useCallback, useId, useMemo, useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { scrolledByKeyboard } from "#components/ui/scrolled-by-keyboard.ts";
import { plainTerminalText, terminalText } from "#lib/entry/terminal-text.ts";
import { ansiLine } from "./ansi-text.tsx";
import { FoldButton } from "./fold-button.tsx";
import { LazyRows, rowHeightPx } from "./lazy-rows.tsx";
import { useCurrentMatch, useOpenForMatch, useWholeEntry } from "./marks/current-match.tsx";
import { type MatchPlace, rowOfPlace } from "./marks/find-text.ts";
import { isHidden, pageOfMatch } from "./marks/match-place.ts";
import { plainTextOf, rowsOfOutput } from "./output-rows.ts";
import { foldOf, hasLineLongerThan, TextLines } from "./text-lines.ts";

type FoldedTextProps = {
  text: string;
  /** Whether terminal escape sequences are shown as colors; otherwise they are made visible. */
  ansi?: boolean;
  /** Lines shown at the beginning while folded. */
  head?: number;
  /** Lines shown at the end while folded; the last lines of a build matter most. */
  tail?: number;
  /** State of the fold if it must outlive scrolling away: the card stores it. Pass both or neither. */
  isOpen?: boolean;
  onOpenChange?: (isOpen: boolean) => void;
  className?: string;
};

/** Longer texts are shown in pages: engines cannot lay out more than 33 million px. */
const pageLines = 10_000;
const pageLength = 1_000_000;
/** A folded text reads at most this much of the lines at its beginning and end. */
const foldedLengthMax = 200_000;
/** Longer texts do not wrap but scroll sideways, so that the height of unrendered rows is known. */
const wrappedRowsMax = 100;
/** Characters shown of a longer line in a folded text. */
const foldedLineMax = 400;

/** Long monospaced text: its first and last lines, and a button for the rest. Stays responsive with 10 MB. */
export function FoldedText({
  text: given,
  ansi = false,
  head = 12,
  tail = 0,
  isOpen,
  onOpenChange,
  className,
}: FoldedTextProps) {
  const [isOpenHere, setIsOpenHere] = useState(false);
  const id = useId();
  // Before anything is cut or folded: what was overwritten is not there.
  const text = useMemo(() => (ansi ? terminalText(given) : given), [given, ansi]);
  const lines = useMemo(() => new TextLines(text), [text]);
  const fold = foldOf(lines.count, head, tail);
  const currentMatch = useCurrentMatch();
  const hidesMatch = useMemo(() => {
    if (currentMatch === null) return false;
    if (currentMatch.at !== null) return true;
    const shown = [
      lines.beginnings(0, fold.head, foldedLineMax).text,
      lines.beginnings(lines.count - fold.tail, lines.count, foldedLineMax).text,
    ];
    const seen = (part: string) => (ansi ? plainTerminalText(part) : part);
    return isHidden(currentMatch, seen(text), seen(shown.join("\n")));
  }, [currentMatch, text, ansi, lines, fold.head, fold.tail]);
  const [open, setOpen] = useOpenForMatch(
    isOpen ?? isOpenHere,
    (next) => {
      setIsOpenHere(next);
      onOpenChange?.(next);
    },
    hidesMatch,
  );
  const whole = useWholeEntry();
  const isCut = useMemo(() => whole.isCut(given), [whole, given]);
  const canFold = fold.hidden > 0 || hasLineLongerThan(foldedLineMax, lines.slice(0, fold.head));
  return (
    <div data-selectable="" className={`min-w-0 font-mono text-[13px] leading-5 ${className ?? ""}`}>
      <div id={id}>
        {canFold && !open ? (
          <>
            <FoldedRows lines={lines} from={0} to={fold.head} ansi={ansi} />
            {fold.tail > 0 && (
              <>
                {/* Part of a selection, which would have the lines around it joined. */}
                <div className="px-3 text-muted-foreground" aria-hidden="true">
                  ⋯
                </div>
                <FoldedRows lines={lines} from={lines.count - fold.tail} to={lines.count} ansi={ansi} />
              </>
            )}
          </>
        ) : (
          <Pages lines={lines} ansi={ansi} />
        )}
        {isCut && (!canFold || open) && <div className="px-3 font-sans text-muted-foreground">… shortened here</div>}
      </div>
      {canFold && (
        <FoldButton
          isOpen={open}
          // How many lines a text has that was cut is not known here.
          label={
            isCut
              ? "Show all"
              : fold.hidden > 0
                ? `Show all ${lines.count.toLocaleString("en-US")} lines`
                : "Show whole lines"
          }
          onChange={(next) => {
            if (next && isCut) whole.ask();
            setOpen(next);
          }}
          controls={id}
        />
      )}
    </div>
  );
}

function Pages({ lines, ansi }: { lines: TextLines; ansi: boolean }) {
  const [wanted, setWanted] = useState(0);
  const pages = useMemo(() => lines.pages(pageLines, pageLength), [lines]);
  const currentMatch = useCurrentMatch();
  const found = useMemo(
    () =>
      currentMatch === null ? null : pageOfMatch(pages, currentMatch, ansi ? plainTerminalText(lines.text) : null),
    [pages, currentMatch, ansi, lines],
  );
  const [followed, setFollowed] = useState<typeof found>(null);
  if (found !== followed) {
    setFollowed(found);
    if (found !== null) setWanted(found.page);
  }
  const place = Math.max(0, Math.min(wanted, pages.length - 1));
  const page = pages[place];
  if (page === undefined) return null;
  const [first, last, count] = [page.firstLine + 1, page.lastLine, lines.count].map((line) =>
    line.toLocaleString("en-US"),
  );
  return (
    <>
      <Rows text={page.text} ansi={ansi} match={found?.page === place ? found.place : null} />
      {pages.length > 1 && (
        <div className="flex flex-wrap items-center gap-2 border-border border-t px-3 py-2 font-sans text-muted-foreground tabular-nums">
          {/* Not `disabled`, which would lose the focus at the first and the last page. */}
          <Button variant="outline" size="sm" aria-disabled={place === 0} onClick={() => setWanted(place - 1)}>
            Previous
          </Button>
          <span>
            Page {place + 1} of {pages.length} · {first === last ? `line ${first}` : `lines ${first}–${last}`} of{" "}
            {count}
          </span>
          <Button
            variant="outline"
            size="sm"
            aria-disabled={place === pages.length - 1}
            onClick={() => setWanted(place + 1)}
          >
            Next
          </Button>
        </div>
      )}
    </>
  );
}

type FoldedRowsProps = { lines: TextLines; from: number; to: number; ansi: boolean };

/** A row per line: its beginning, and how much of it is missing. */
function FoldedRows({ lines, from, to, ansi }: FoldedRowsProps) {
  const { text, missing } = useMemo(
    () => lines.beginnings(from, to, Math.floor(foldedLengthMax / Math.max(1, to - from))),
    [lines, from, to],
  );
  return <Rows text={text} ansi={ansi} missing={missing} />;
}

const wrappedRow = { minHeight: rowHeightPx };
const unwrappedRow = { height: rowHeightPx };

type RowsProps = {
  text: string;
  ansi: boolean;
  /** In a folded text: how many characters of each line are not even in `text`. */
  missing?: readonly number[];
  /** The match to show, if it is in this text. */
  match?: MatchPlace | null;
};

function Rows({ text, ansi, missing, match = null }: RowsProps) {
  const rows = useMemo(() => {
    const read = rowsOfOutput(text, ansi, missing === undefined ? null : foldedLineMax);
    return read.map((row, index) => ({ ...row, cut: row.cut + (missing?.[index] ?? 0) }));
  }, [text, ansi, missing]);
  const needle = useCurrentMatch()?.needle ?? "";
  const marked = useMemo(() => {
    if (match === null) return null;
    const texts = rows.map((row) => ({
      line: Number.parseInt(row.id, 10),
      text: row.runs.map((run) => run.text).join(""),
    }));
    return rowOfPlace(texts, needle, match);
  }, [rows, needle, match]);
  const isWrapped = rows.length <= wrappedRowsMax;
  const plain = useMemo(() => (isWrapped && marked === null ? plainTextOf(rows) : null), [rows, isWrapped, marked]);
  const renderRows = useCallback(
    (from: number, to: number): ReactNode =>
      rows.slice(from, to).map((row, index) => (
        <div
          key={row.id}
          data-current-match={marked !== null && from + index === marked.row ? marked.nth : undefined}
          style={isWrapped ? wrappedRow : unwrappedRow}
        >
          {ansiLine(row.runs)}
          {row.cut > 0 && (
            <span className="select-none text-muted-foreground">
              {" "}
              … {row.cut.toLocaleString("en-US")} more characters
            </span>
          )}
        </div>
      )),
    [rows, isWrapped, marked],
  );
  const textOf = useCallback(
    (from: number, to: number) =>
      rows
        .slice(from, to)
        .map((row) => row.runs.map((run) => run.text).join(""))
        .join("\n"),
    [rows],
  );
  const look = isWrapped ? "whitespace-pre-wrap [overflow-wrap:anywhere]" : "overflow-x-auto whitespace-pre";
  if (plain !== null) return <div className={`px-3 ${look}`}>{plain}</div>;
  return (
    <div className={`px-3 ${look}`} {...(isWrapped ? {} : scrolledByKeyboard)}>
      <div className={isWrapped ? undefined : "w-max min-w-full"}>
        <LazyRows count={rows.length} renderRows={renderRows} textOf={textOf} shown={marked?.row} />
      </div>
    </div>
  );
}
