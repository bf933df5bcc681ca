import type { PlanStep } from "#lib/entry/plan.ts";

/** What a plan says otherwise than the one before it. */
export type PlanChanges = {
  /** The ids of steps that were not in the plan before. */
  added: ReadonlySet<number>;
  /** The ids of steps that are done now and were not before. */
  finished: ReadonlySet<number>;
  /** The words of steps that are no longer in the plan, in its order, each once. */
  gone: string[];
};

/** Compares a plan with the one before it. Steps are the same by their words; of equal words the first belong together. */
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
