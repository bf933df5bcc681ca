"use client";

import { memo, type ReactNode, useCallback, useRef } from "react";
import { useSelectedRows } from "./selected-rows.ts";
import { useOnScreen } from "./use-on-screen.ts";

/** Rows of this height in px, never wrapped, so that the position of unrendered rows is known exactly. */
export const rowHeightPx = 20;
const rowsPerChunk = 100;

type LazyRowsProps = {
  count: number;
  /** Renders rows from..to (exclusive), each exactly rowHeightPx high. Must keep its identity while the rows are the same. */
  renderRows: (from: number, to: number) => ReactNode;
  /** Text of rows from..to as it is selected, for a copy; absent if they are not text. Must keep its identity likewise. */
  textOf?: (from: number, to: number) => string;
  /** A row that is always rendered, so that the page can scroll to it. */
  shown?: number | undefined;
  /** Height of every row, if it is not rowHeightPx. */
  heightPx?: number;
};

/** Any number of rows of one height; only those near the view are rendered. Up to 100 rows are always all rendered. */
export function LazyRows({ count, renderRows, shown = -1, heightPx = rowHeightPx, textOf = noText }: LazyRowsProps) {
  if (count <= rowsPerChunk) return renderRows(0, count);
  const starts = Array.from({ length: Math.ceil(count / rowsPerChunk) }, (_, chunk) => chunk * rowsPerChunk);
  return starts.map((from) => {
    const to = Math.min(count, from + rowsPerChunk);
    return <Chunk key={from} {...{ from, to, renderRows, textOf, heightPx }} isShown={shown >= from && shown < to} />;
  });
}

const noText = () => "";

type ChunkProps = {
  from: number;
  to: number;
  heightPx: number;
  renderRows: LazyRowsProps["renderRows"];
  textOf: (from: number, to: number) => string;
  isShown: boolean;
};

const Chunk = memo(function Chunk({ from, to, heightPx, renderRows, textOf, isShown }: ChunkProps) {
  const [onScreen, isOnScreen] = useOnScreen(1_500);
  const element = useRef<HTMLDivElement>(null);
  const isHeld = useSelectedRows(
    element,
    useCallback(() => textOf(from, to), [textOf, from, to]),
  );
  const ref = useCallback(
    (node: HTMLDivElement | null) => {
      element.current = node;
      return onScreen(node);
    },
    [onScreen],
  );
  return (
    <div ref={ref} data-rows="" style={{ height: (to - from) * heightPx }}>
      {(isOnScreen || isShown || isHeld) && renderRows(from, to)}
    </div>
  );
});
