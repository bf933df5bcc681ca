import type { Span } from "./steps.ts";

/** What is known of a moment beside the entries: a turn is worked on, none is, or a question to a person is open. */
export type Region = "turn" | "outside" | "waiting";

/** Time cut into regions, in order and without a gap: each begins at `from` and ends where the next begins. */
export type Regions = readonly { from: number; region: Region }[];

/**
 * The regions of a run. `turns` null: nothing is known of turns, all time is taken as theirs. A question is waited for whatever the
 * turns say.
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
  // What ended before it began lasted no time.
  return from >= to
    ? []
    : [
        { at: from, turn, wait },
        { at: to, turn: -turn, wait: -wait },
      ];
}
