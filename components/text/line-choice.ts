import { createContext, type HTMLAttributes, type ReactNode } from "react";
import type { DiffLine, DiffRow } from "./diff-rows.ts";
import type { DiffSide } from "./pair-rows.ts";

/** A line that can be chosen: its name for the handlers, and what is in place of its number. */
export type RowChoice = { name: string; isChosen: boolean; number: ReactNode };

/** How the lines of one diff are chosen. */
export type ChoosingLines = {
  /** For the element around the rows, in which `data-row` is a row's name and `data-lines` a column. */
  handlers: HTMLAttributes<HTMLElement>;
  /** Null for a line that cannot be chosen. Keeps its identity while nothing about the rows changes. */
  rowOf: (line: DiffLine, digits: number, side: DiffSide | null) => RowChoice | null;
};

/** A hook that each diff calls with its rows; set where lines can be commented on. */
export const ChoosingLinesContext = createContext<(rows: readonly DiffRow[]) => ChoosingLines | null>(() => null);
