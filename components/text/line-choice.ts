import { createContext, type HTMLAttributes, type ReactNode } from "react";
import type { DiffLine, DiffRow } from "./diff-rows.ts";
import type { DiffSide } from "./pair-rows.ts";

/** A line that can be chosen: its name for the handlers, and the content that replaces its number. */
export type RowChoice = { name: string; isChosen: boolean; number: ReactNode };

/** Selection of lines in one diff. */
export type ChoosingLines = {
  /** Handlers for the element around the rows, in which `data-row` is the name of a row and `data-lines` that of a column. */
  handlers: HTMLAttributes<HTMLElement>;
  /** Null for a line that cannot be chosen. Keeps its identity while nothing about the rows changes. */
  rowOf: (line: DiffLine, digits: number, side: DiffSide | null) => RowChoice | null;
};

/** Hook that each diff calls with its rows; set where lines can be commented on. */
export const ChoosingLinesContext = createContext<(rows: readonly DiffRow[]) => ChoosingLines | null>(() => null);
