import type { PlanStep } from "#lib/entry/plan.ts";

/** Differences between a plan and the previous one. */
export type PlanChanges = {
  /** Ids of new steps. */
  added: ReadonlySet<number>;
  /** Ids of steps that were not done before. */
  finished: ReadonlySet<number>;
  /** Words of removed steps, in the old order, without duplicates. */
  gone: string[];
};

/** Compares a plan with the previous one. Steps are matched by their text; steps with equal text are matched in order. */
export function planChanges(before: readonly PlanStep[], after: readonly PlanStep[]): PlanChanges {
  const known = new Map<string, PlanStep[]>();
  for (const step of before) {
    const same = known.get(step.text);
    if (same === undefined) known.set(step.text, [step]);
    else same.push(step);
  }
  const added = new Set<number>();
  const finished = new Set<number>();
  const kept = new Set<PlanStep>();
  for (const step of after) {
    const old = known.get(step.text)?.shift();
    if (old === undefined) added.add(step.id);
    else {
      kept.add(old);
      if (step.state === "done" && old.state !== "done") finished.add(step.id);
    }
  }
  const gone = new Set(before.filter((step) => !kept.has(step)).map((step) => step.text));
  return { added, finished, gone: [...gone] };
}
