import { quoteIn, type Step } from "#lib/analysis/step.ts";
import type { AnalysisCause } from "#lib/contract/logs/analysis.ts";
import { analysisTextMax } from "#lib/contract/logs/analysis-bounds.ts";
import { type CauseRule, causeOf, type RunEnd } from "./cause-rule.ts";

/** Words with which an agent says that it did not succeed. Limits of a part ("could not test X") are not included. */
export const gaveUpWords =
  /\bI (?:was|am|have been|'m) (?:unable|not able) to (?:complete|finish|fix|solve|resolve|implement|proceed|continue|make|get|do|find a)|\bI (?:could not|couldn't|cannot|can't|can not|failed to|did not manage to) (?:complete|finish|fix|solve|resolve|implement|proceed|continue|accomplish|do this|do that|make (?:it|this|the))|\b(?:I(?:'m| am)? )?giv(?:e|ing) up\b|\bI gave up\b|\bI(?:'m| am) stuck\b|\bunable to (?:complete|proceed|continue|fulfil)|\bcannot (?:be completed|proceed|continue) (?:with|without|because|until)|\bthe task (?:could not|cannot) be (?:completed|done)/i;

/** The agent itself says that it did not succeed. */
export class GaveUp implements CauseRule {
  #latest: Step | null = null;

  add(step: Step): void {
    if (step.type === "FINAL_ANSWER" || step.type === "PLAN_EVALUATION" || step.call?.view.kind === "answer")
      this.#latest = step;
  }

  cause({ outcome, finalText }: RunEnd): AnalysisCause | null {
    if (outcome.verdict !== "gave_up" || finalText === null || this.#latest === null) return null;
    const line = finalText.text.split("\n").find((one) => gaveUpWords.test(one)) ?? finalText.text;
    const at = Math.max(0, line.search(gaveUpWords));
    const step = this.#latest.seq === finalText.seq ? this.#latest : null;
    if (step === null) return null;
    return causeOf({
      rule: "gave_up",
      title: "The agent says that it could not finish",
      confidence: "certain",
      evidence: [{ seq: step.seq, quote: quoteIn(step, line.slice(at, at + 200), analysisTextMax) }],
      why: "Its last message says so. The steps before it show what blocked it.",
    });
  }
}
