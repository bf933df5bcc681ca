import type { Span } from "./steps.ts";

/** State of a moment apart from the entries: a turn is in progress, none is, or a question to a person is open. */
export type Region = "turn" | "outside" | "waiting";

/** Time divided into regions, in order and without gaps: each begins at `from` and ends where the next begins. */
export type Regions = readonly { from: number; region: Region }[];

/**
 * Regions of a run. `turns` null: turns are unknown, and all time counts as theirs. A question counts as waiting
 * whatever the turns say.
 */
export function regionsOf(turns: readonly Span[] | null, waits: readonly Span[]): Regions {
  const changes = [
    ...(turns ?? []).flatMap(({ from, to }) => changesOf(from, to, 1, 0)),
    ...waits.flatMap(({ from, to }) => changesOf(from, to, 0, 1)),
  ].sort((one, other) => one.at - other.at);
  const regions: { from: number; region: Region }[] = [];
  let turnsOpen = turns === null ? 1 : 0;
  let waitsOpen = 0;
  const tell = (from: number) => {
    const region = waitsOpen > 0 ? "waiting" : turnsOpen > 0 ? "turn" : "outside";
    const last = regions.at(-1);
    if (last?.from === from) regions.pop();
    if (regions.at(-1)?.region !== region) regions.push({ from, region });
  };
  tell(Number.NEGATIVE_INFINITY);
  for (const { at, turn, wait } of changes) {
    turnsOpen += turn;
    waitsOpen += wait;
    tell(at);
  }
  return regions;
}

function changesOf(from: number, to: number, turn: number, wait: number) {
  // An interval that ended before it began has no length.
  return from >= to
    ? []
    : [
        { at: from, turn, wait },
        { at: to, turn: -turn, wait: -wait },
      ];
}
