import type { PlannedStep, StepResult } from "#lib/agents/steps/planned-step.ts";
import { awakeLimit } from "#lib/awake-timer.ts";

/** How often a step shows that it is still at work, in milliseconds: an agent that sends nothing for long is stopped. */
const signOfLifeMs = 10_000;

/**
 * A step that is ended after `limitMs`, which counts as its failure and not as a cancelled turn. Until then it may be silent: what
 * it has shown is sent again every 10 s.
 */
export function withTimeLimit(step: PlannedStep, limitMs: number): PlannedStep {
  return {
    ...step,
    async run(control): Promise<StepResult> {
      using limit = awakeLimit(limitMs, control.signal);
      let shown = "";
      const onProgress = (text: string) => {
        shown = text;
        control.onProgress(text);
      };
      const signs = setInterval(() => control.onProgress(shown), signOfLifeMs);
      try {
        const result = await step.run({ ...control, onProgress, signal: limit.signal });
        if (!result.cancelled || control.signal.aborted) return result;
        return { ...result, cancelled: false, failure: `it took longer than ${limitMs / 1000} s and was stopped` };
      } finally {
        clearInterval(signs);
      }
    },
  };
}
