import { quoteIn, type Step } from "#lib/analysis/step.ts";
import type { AnalysisCause, AnalysisEvidence } from "#lib/contract/logs/analysis.ts";
import { analysisTextMax } from "#lib/contract/logs/analysis-bounds.ts";
import { type CauseRule, causeOf, type RunEnd } from "./cause-rule.ts";

const words =
  /context (?:was |has been |is )?(?:compacted|compaction|condensed|summari[sz]ed)|conversation (?:was |has been )?(?:compacted|condensed|summari[sz]ed)|session is being continued from a previous conversation|compact(?:ed|ing) (?:the )?(?:context|conversation)|auto-?compact|compact_boundary|compaction (?:complete|finished|summary)/i;

/** The agent's context was compacted, and things went wrong after it. */
export class ContextCompacted implements CauseRule {
  #compactions: AnalysisEvidence[] = [];
  #count = 0;

  add(step: Step): void {
    if (step.call !== null || step.type === "FINAL_ANSWER" || step.type === "AGENT_RUN_LINK") return;
    const head = step.said.slice(0, 1_000);
    if (!words.test(head)) return;
    this.#count += 1;
    const line = head.split("\n").find((one) => words.test(one)) ?? head;
    const at = Math.max(0, line.search(words) - 40);
    this.#compactions = [
      ...this.#compactions.slice(-99),
      { seq: step.seq, quote: quoteIn(step, line.slice(at, at + 200), analysisTextMax) },
    ];
  }

  cause({ outcome, red }: RunEnd): AnalysisCause | null {
    const last = this.#compactions.at(-1);
    if (last === undefined) return null;
    const isBroken = outcome.verdict === "broken" || outcome.verdict === "gave_up" || outcome.verdict === "stopped";
    const redAfter = red.find(({ first, greenSeq }) => greenSeq !== null && first.run.seq > last.seq);
    if (!isBroken && redAfter === undefined) return null;
    return causeOf({
      rule: "context_compacted",
      title: "The context was compacted before the run went wrong",
      confidence: "possible",
      evidence: redAfter === undefined ? this.#compactions : [...this.#compactions, redAfter.first.evidence],
      count: this.#count,
      why: "The agent's context was reduced to a summary, and the run had problems after that. Something that the agent needed may be missing from the summary.",
    });
  }
}
