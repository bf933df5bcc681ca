"use client";

import { createContext, type KeyboardEvent, type PointerEvent, useCallback, useContext, useMemo, useRef } from "react";
import type { DiffLine, DiffRow } from "#components/text/diff-rows.ts";
import type { ChoosingLines } from "#components/text/line-choice.ts";

/**
 * Range of chosen lines in a diff, in either direction. Lines are identified by {@link lineName}, which stays the same when more
 * lines are shown.
 */
export type ChosenLines = { anchor: string; head: string };

/** Selection of lines in one file, to comment on them. */
export type LineChoice = {
  chosen: ChosenLines | null;
  /** Names of lines that have a comment. */
  commented: ReadonlySet<string>;
  /** `isDone`: the selection is complete and the person starts to write. */
  onChoose: (chosen: ChosenLines, lines: readonly DiffLine[], isDone: boolean) => void;
};

/** Set around a file whose lines can be commented on. */
export const LineChoiceContext = createContext<LineChoice | null>(null);

/** Name of a line: its side and number, such as `-12` or `+12`; null if the number is unknown. */
export function lineName({ kind, oldLine, newLine }: DiffLine): string | null {
  if (kind === "removed") return oldLine === null ? null : `-${oldLine}`;
  return newLine === null ? null : `+${newLine}`;
}

/** Rows from `first` to `last`, by id. */
type ChosenRows = { first: number; last: number; head: number };

/**
 * Turns line numbers into buttons (`data-line`) that select lines. Mouse: drag over the numbers, or Shift-click. Touch: tap the
 * first line, then the last. Keyboard: arrows move, Shift with arrows extends, Enter finishes.
 */
export function useChoosingLines(rows: readonly DiffRow[]): ChoosingLines | null {
  const choice = useContext(LineChoiceContext);
  const anchor = useRef<string | null>(null);
  const isTouched = useRef(false);
  const lines = useMemo(() => rows.filter((row) => row.kind !== "gap"), [rows]);
  const chosenRows = useMemo(() => rowsOfChosen(choice?.chosen ?? null, lines), [choice, lines]);
  const first = useMemo(() => lines.find(({ kind }) => kind !== "same")?.id ?? lines[0]?.id ?? null, [lines]);
  const commented = choice?.commented ?? null;
  const rowOf = useCallback<ChoosingLines["rowOf"]>(
    (line, digits, side) => {
      const name = lineName(line);
      if (commented === null || name === null) return null;
      const isChosen = isAmong(chosenRows, line.id);
      const isTabStop = line.id === (chosenRows?.head ?? first);
      const state = { name, isChosen, isTabStop, hasComment: commented.has(name) };
      return { name, isChosen, number: <LineButton {...{ line, digits, side }} {...state} /> };
    },
    [commented, chosenRows, first],
  );
  if (choice === null) return null;
  const { chosen } = choice;
  const choose = (next: ChosenLines, isDone: boolean) => {
    const among = rowsOfChosen(next, lines);
    const all = lines.filter(({ id }) => isAmong(among, id));
    choice.onChoose(next, all, isDone);
  };
  const isChosenName = (name: string) => lines.some((line) => isAmong(chosenRows, line.id) && lineName(line) === name);
  return {
    rowOf,
    handlers: {
      onPointerDown: (event: PointerEvent) => {
        isTouched.current = event.pointerType === "touch";
        const name = nameAt(event.target, "[data-line]");
        if (name === null || event.button !== 0 || isTouched.current) return;
        // Dragging selects lines, not text.
        event.preventDefault();
        anchor.current = event.shiftKey && chosen !== null ? chosen.anchor : name;
        choose({ anchor: anchor.current, head: name }, false);
        const onUp = () => {
          window.removeEventListener("pointerup", onUp);
          anchor.current = null;
          focusForm();
        };
        window.addEventListener("pointerup", onUp);
      },
      onPointerOver: (event: PointerEvent) => {
        const name = nameAt(event.target, "[data-row]");
        if (name !== null && anchor.current !== null && event.buttons === 1)
          choose({ anchor: anchor.current, head: name }, false);
      },
      onClick: (event) => {
        const name = nameAt(event.target, "[data-line]");
        if (name === null) return;
        // With a mouse, the line was already chosen on press.
        if (event.detail === 0)
          choose(chosen !== null && isChosenName(name) ? chosen : { anchor: name, head: name }, true);
        else if (isTouched.current) choose({ anchor: chosen?.anchor ?? name, head: name }, false);
      },
      onKeyDown: (event: KeyboardEvent) => {
        const way = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
        const name = nameAt(event.target, "[data-line]");
        if (way === 0 || name === null) return;
        event.preventDefault();
        const next = lineBeside(event.target, way);
        if (next === null) return;
        next.focus();
        const head = nameAt(next, "[data-line]");
        if (event.shiftKey && head !== null) choose({ anchor: chosen?.anchor ?? name, head }, false);
      },
    },
  };
}

function rowsOfChosen(chosen: ChosenLines | null, lines: readonly DiffLine[]): ChosenRows | null {
  if (chosen === null) return null;
  const [anchor, head] = [chosen.anchor, chosen.head].map((name) => lines.find((line) => lineName(line) === name)?.id);
  if (anchor === undefined || head === undefined) return null;
  return { first: Math.min(anchor, head), last: Math.max(anchor, head), head };
}

function isAmong(chosen: ChosenRows | null, id: number): boolean {
  return chosen !== null && id >= chosen.first && id <= chosen.last;
}

/** Runs after the rows have been rendered again. */
function focusForm(): void {
  requestAnimationFrame(() => document.querySelector<HTMLElement>("[data-comment-form] textarea")?.focus());
}

function nameAt(target: EventTarget | null, selector: string): string | null {
  const element = target instanceof Element ? target.closest<HTMLElement>(selector) : null;
  return element?.dataset.line ?? element?.dataset.row ?? null;
}

/** The next line-number button above or below, among the rendered ones. */
function lineBeside(target: EventTarget, way: 1 | -1): HTMLElement | null {
  const column = target instanceof Element ? target.closest("[data-lines]") : null;
  if (column === null || !(target instanceof Element)) return null;
  const all = [...column.querySelectorAll<HTMLElement>("[data-line]")];
  return all[all.indexOf(target as HTMLElement) + way] ?? null;
}

type LineButtonProps = {
  line: DiffLine;
  digits: number;
  side: "before" | "after" | null;
  name: string;
  isChosen: boolean;
  isTabStop: boolean;
  hasComment: boolean;
};

/** Button with a line's number. A dot beside it marks a comment. */
function LineButton({ line, digits, side, name, isChosen, isTabStop, hasComment }: LineButtonProps) {
  const isOld = side === "before" || line.kind === "removed";
  const number = isOld ? line.oldLine : line.newLine;
  const words = { same: "", added: ", added", removed: ", removed" }[line.kind];
  return (
    <button
      type="button"
      data-line={name}
      tabIndex={isTabStop ? 0 : -1}
      aria-label={`Line ${number}${words}${hasComment ? ", has a comment" : ""}`}
      aria-pressed={isChosen}
      title="Comment on this line"
      className="group/line relative shrink-0 cursor-pointer select-none pl-2 text-right text-muted-foreground tabular-nums hover:text-foreground focus-visible:-outline-offset-2"
      style={{ width: `calc(${digits}ch + 0.5rem)` }}
    >
      {side === null && line.kind === "removed" ? <span className="sm:hidden">{line.oldLine}</span> : number}
      {hasComment && <span aria-hidden className="absolute top-2 left-0.5 size-1 rounded-full bg-link" />}
    </button>
  );
}
