import type { PlannedStep, StepResult } from "#lib/agents/steps/planned-step.ts";

/** A step that is ended after `limitMs`, which counts as its failure and not as a cancelled turn. */
export function withTimeLimit(step: PlannedStep, limitMs: number): PlannedStep {
  return {
    ...step,
    async run(control): Promise<StepResult> {
      const limit = AbortSignal.timeout(limitMs);
      const result = await step.run({ ...control, signal: AbortSignal.any([control.signal, limit]) });
      if (!result.cancelled || control.signal.aborted) return result;
      return { ...result, cancelled: false, failure: `it took longer than ${limitMs / 1000} s and was stopped` };
    },
  };
}
