import { idleSpans } from "./gaps.ts";
import type { Span, Steps } from "./steps.ts";
import { type Stretches, type SweptRun, sweep } from "./sweep.ts";

export type CachedSweep = { stretches: Stretches; idle: Span[] };

/** Sweeps of runs, each cached as long as its steps: an ended run is swept once, however often it is viewed. */
export class SweepCache {
  readonly #sweeps = new WeakMap<Steps, { of: string; sweep: CachedSweep }>();

  /** The sweep of a run. */
  of({ steps, ...rest }: SweptRun): CachedSweep {
    const { run, regions, runningFrom, idleMsMin } = rest;
    const of = JSON.stringify([run.from, run.to, regions, runningFrom, idleMsMin]);
    const kept = this.#sweeps.get(steps);
    if (kept?.of === of) return kept.sweep;
    const stretches = sweep({ steps, ...rest });
    const made = { stretches, idle: idleSpans(stretches) };
    this.#sweeps.set(steps, { of, sweep: made });
    return made;
  }
}
