import type { Region, Regions } from "./regions.ts";
import type { Span, Steps } from "./steps.ts";

/** Use of a moment, as a number: there are millions of them. */
export const use = { tool: 0, thinking: 1, waiting: 2, idle: 3 } as const;
export const useNames = ["tool", "thinking", "waiting", "idle"] as const;

export type SweptRun = {
  steps: Steps;
  regions: Regions;
  /** The whole run: every entry ended in it. */
  run: Span;
  /** When the still running tool started, or null. */
  runningFrom: number | null;
  /** An interval without any record counts as idle from this length. */
  idleMsMin: number;
};

/** Uses of a run's time: adjacent intervals that fill it, from its end to its beginning. */
export type Stretches = {
  run: Span;
  count: number;
  /** Beginning of each; it ends where the one before begins, the first one with the run. */
  froms: Float64Array;
  uses: Uint8Array;
};

/** Determines how a run's time was used, exact to the millisecond and linear in the steps. */
export function sweep(swept: SweptRun): Stretches {
  return new Sweep(swept).all();
}

/** Steps swept in one go: leaving the loop now and then lets it come back compiled. */
const stepsAtOnce = 8192;

class Sweep {
  readonly #swept: SweptRun;
  readonly #froms: Float64Array;
  readonly #uses: Uint8Array;
  #count = 0;
  #region: number;
  /** Everything from here on is reported … */
  #toldFrom: number;
  /** … except the busy interval being built, which begins here: steps that overlap or touch are one. */
  #busyFrom: number;

  constructor(swept: SweptRun) {
    const { steps, regions, run, runningFrom } = swept;
    const most = 2 * steps.count + regions.length + 2;
    this.#swept = swept;
    this.#froms = new Float64Array(most);
    this.#uses = new Uint8Array(most);
    this.#region = regions.length - 1;
    this.#toldFrom = run.to;
    this.#busyFrom = runningFrom === null ? run.to : Math.max(run.from, Math.min(runningFrom, run.to));
  }

  all(): Stretches {
    const { steps, run } = this.#swept;
    for (let last = steps.count - 1; last >= 0; last -= stepsAtOnce) {
      this.#sweepDown(last, Math.max(0, last - stepsAtOnce + 1));
    }
    this.#tell(this.#busyFrom, true);
    this.#tell(run.from, false);
    return { run, count: this.#count, froms: this.#froms, uses: this.#uses };
  }

  /** There are millions of steps: those inside one region are reported here. The casts rest on the bounds. */
  #sweepDown(last: number, first: number): void {
    const { steps, run, regions, idleMsMin } = this.#swept;
    const { times, durations, order } = steps;
    const runFrom = run.from;
    const froms = this.#froms;
    const uses = this.#uses;
    let busyFrom = this.#busyFrom;
    let count = this.#count;
    let toldFrom = this.#toldFrom;
    let regionFrom = regions[this.#region]?.from ?? 0;
    let region = regions[this.#region]?.region ?? "turn";
    for (let index = last; index >= first; index -= 1) {
      const place = order === null ? index : (order[index] as number);
      const end = times[place] as number;
      if (end < busyFrom) {
        if (end > regionFrom) {
          if (toldFrom > busyFrom) {
            froms[count] = busyFrom;
            uses[count] = spentOn(region, true, 0, idleMsMin);
            count += 1;
          }
          froms[count] = end;
          uses[count] = spentOn(region, false, busyFrom - end, idleMsMin);
          count += 1;
          toldFrom = end;
        } else {
          this.#count = count;
          this.#toldFrom = toldFrom;
          this.#tell(busyFrom, true);
          this.#tell(end, false);
          count = this.#count;
          toldFrom = this.#toldFrom;
          regionFrom = regions[this.#region]?.from ?? 0;
          region = regions[this.#region]?.region ?? "turn";
        }
        busyFrom = end;
      }
      const begin = end - (durations[place] as number);
      if (begin < busyFrom) busyFrom = begin > runFrom ? begin : runFrom;
    }
    this.#busyFrom = busyFrom;
    this.#count = count;
    this.#toldFrom = toldFrom;
  }

  /**
   * Reports everything down to `from`, cut where regions meet: regions are only left backwards, as intervals arrive.
   */
  #tell(from: number, isBusy: boolean): void {
    const { regions, idleMsMin } = this.#swept;
    while (this.#toldFrom > from) {
      while (this.#region > 0 && (regions[this.#region]?.from ?? 0) >= this.#toldFrom) this.#region -= 1;
      const here = regions[this.#region];
      const begin = here === undefined || here.from < from ? from : here.from;
      this.#froms[this.#count] = begin;
      this.#uses[this.#count] = spentOn(here?.region ?? "turn", isBusy, this.#toldFrom - begin, idleMsMin);
      this.#count += 1;
      this.#toldFrom = begin;
    }
  }
}

function spentOn(region: Region, isBusy: boolean, length: number, idleMsMin: number): number {
  if (region === "waiting") return use.waiting;
  if (isBusy) return use.tool;
  return region === "outside" || length >= idleMsMin ? use.idle : use.thinking;
}
