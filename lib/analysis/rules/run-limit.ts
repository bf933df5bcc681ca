import { quoteIn, type Step } from "#lib/analysis/step.ts";
import type { AnalysisCause, AnalysisEvidence } from "#lib/contract/logs/analysis.ts";
import { analysisTextMax } from "#lib/contract/logs/analysis-bounds.ts";
import { type CauseRule, causeOf, type RunEnd } from "./cause-rule.ts";

/** Words for a limit of a run: of time, turns, tokens or money. */
export const limitWords =
  /max(?:imum)?[_ ](?:number of )?(?:turns|iterations|steps)|turn limit|time limit|timed out after|out of tokens|context (?:length|window) (?:was )?exceeded|token limit|LimitsExceeded|exit_(?:cost|context|time|format)|cost limit|budget (?:was )?exceeded|step limit|TimeExceeded/i;

const titles: Record<string, string> = {
  timed_out: "The run reached its time limit",
  max_turns_reached: "The run reached its limit of turns",
  out_of_tokens: "The run ran out of tokens",
};

/** The run ended at one of its limits. */
export class RunLimit implements CauseRule {
  #limit: AnalysisEvidence | null = null;
  #lastError: AnalysisEvidence | null = null;
  #last: Step | null = null;

  add(step: Step): void {
    if (step.isNotice || step.type === "AGENT_RUN_LINK") return;
    this.#last = step;
    if (step.type !== "ERROR") return;
    this.#lastError = { seq: step.seq, quote: quoteIn(step, step.said, analysisTextMax) };
    const words = step.said.split("\n").find((line) => limitWords.test(line));
    if (words !== undefined) this.#limit = { seq: step.seq, quote: quoteIn(step, words, analysisTextMax) };
  }

  cause({ outcome }: RunEnd): AnalysisCause | null {
    const title = titles[outcome.status] ?? (outcome.ended_by === "limit" ? "The run reached one of its limits" : null);
    if (title === null || this.#last === null) return null;
    // If only the status shows the limit, the last entry shows where the work broke off.
    const last = { seq: this.#last.seq, quote: quoteIn(this.#last, "", analysisTextMax) };
    return causeOf({
      rule: "run_limit",
      title,
      confidence: "certain",
      evidence: [this.#limit ?? this.#lastError ?? last],
      why: "It was stopped before it had ended its work. A higher limit or a smaller task may help.",
    });
  }
}
