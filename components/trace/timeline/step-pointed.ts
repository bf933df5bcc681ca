import type { Pointed } from "./chart-rows.ts";
import { totalOf } from "./draw-parts.ts";
import type { Range, TimelineData } from "./timeline-data.ts";

/** The next (1) or previous (-1) item in order of time; if nothing is selected, the first or the last in view. */
export function stepPointed(data: TimelineData, pointed: Pointed | null, view: Range, way: 1 | -1): Pointed | null {
  const all: Pointed[] =
    data.bars === null
      ? data.parts.filter((part) => totalOf(part) >= 1).map((part) => ({ kind: "part", part }))
      : data.bars
          .toSorted((one, other) => one.from - other.from || one.seq - other.seq)
          .map((bar) => ({ kind: "bar", bar }));
  const here = all.findIndex((one) => isSame(one, pointed));
  if (here !== -1) return all[here + way] ?? all[here] ?? null;
  const inView = all.filter((one) => {
    const { from, to } = rangeOf(one);
    return to >= view.from && from <= view.to;
  });
  return (way === 1 ? inView[0] : inView.at(-1)) ?? null;
}

/** Time of the selected item. */
export function rangeOf(pointed: Pointed): Range {
  return pointed.kind === "bar" ? pointed.bar : pointed.part;
}

function isSame(one: Pointed, other: Pointed | null): boolean {
  if (one.kind === "bar") return other?.kind === "bar" && other.bar.seq === one.bar.seq;
  return other?.kind === "part" && other.part.from === one.part.from;
}
