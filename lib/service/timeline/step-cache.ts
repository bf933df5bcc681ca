import { Lru } from "#lib/lru.ts";
import type { Access } from "#lib/store/runs/access.ts";
import type { Store } from "#lib/store/store.ts";
import { orderOf, type Steps } from "./steps.ts";

/** Steps cached for all runs together: 15 bytes each. */
const stepsMaxDefault = 3_000_000;
/** Steps read at once. */
const pieceSize = 131_072;

type Kept = { steps: Steps; reading: Promise<unknown> };

/**
 * Steps of the runs whose timelines were requested most recently. Entries never change, so cached steps stay valid, and
 * only the new ones of a growing run are read.
 */
export class StepCache {
  readonly #store: Store;
  readonly #runs: Lru<number, Kept>;

  constructor(store: Store, stepsMax = stepsMaxDefault) {
    this.#store = store;
    this.#runs = new Lru({ weight: stepsMax, weigh: ({ steps }) => steps.times.length, grows: true });
  }

  /**
   * All steps of a run that has `total`, or more if it has grown. The caller must have checked that the run is visible.
   */
  async of(access: Access, runId: number, total: number): Promise<Steps> {
    const kept = this.#runs.obtain(runId, () => ({ steps: noSteps, reading: Promise.resolve() }));
    // One reader at a time; a failed one leaves what was there.
    const reading = kept.reading.catch(() => undefined).then(() => this.#readUpTo(kept, access, runId, total));
    kept.reading = reading;
    const steps = await reading;
    this.#runs.makeRoom();
    return steps;
  }

  async #readUpTo(kept: Kept, access: Access, runId: number, total: number): Promise<Steps> {
    const { count: before } = kept.steps;
    if (before >= total) return kept.steps;
    const steps = { ...kept.steps, ...widened(kept.steps, total) };
    while (steps.count < total) {
      const last = Math.min(total, steps.count + pieceSize);
      const facts = await this.#store.entries.facts(access, runId, { first: steps.count + 1, last });
      if (facts.count === 0) throw new Error(`Step ${steps.count + 1} of run ${runId} is counted and not there`);
      steps.times.set(facts.times, steps.count);
      steps.durations.set(facts.durations, steps.count);
      steps.kinds.set(facts.kinds, steps.count);
      steps.tools.set(facts.tools, steps.count);
      steps.count += facts.count;
    }
    steps.order = orderOf(steps.times, steps.count);
    kept.steps = steps;
    return steps;
  }
}

const noSteps: Steps = {
  firstSeq: 1,
  count: 0,
  times: new Float64Array(),
  durations: new Uint32Array(),
  kinds: new Uint8Array(),
  tools: new Uint16Array(),
  order: null,
};

/** The same columns with room for more steps. A run that has grown once gets room to grow. */
function widened(steps: Steps, total: number): Pick<Steps, "times" | "durations" | "kinds" | "tools"> {
  if (steps.times.length >= total) return steps;
  const room = steps.count === 0 ? total : Math.ceil(total * 1.25);
  const columns = {
    times: new Float64Array(room),
    durations: new Uint32Array(room),
    kinds: new Uint8Array(room),
    tools: new Uint16Array(room),
  };
  columns.times.set(steps.times);
  columns.durations.set(steps.durations);
  columns.kinds.set(steps.kinds);
  columns.tools.set(steps.tools);
  return columns;
}
