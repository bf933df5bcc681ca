import { isExpected } from "#lib/analysis/checks/expected-failure.ts";
import { linesOf } from "#lib/analysis/checks/output-lines.ts";
import { mayHaveFailed, type SeenCall } from "#lib/analysis/seen-call.ts";
import { type Call, quoteIn, type Step } from "#lib/analysis/step.ts";
import type { AnalysisCause } from "#lib/contract/logs/analysis.ts";
import { analysisTextMax } from "#lib/contract/logs/analysis-bounds.ts";
import { type CauseRule, causeOf, confidenceBy, Incidents, type RunEnd } from "./cause-rule.ts";

const words =
  /permission denied|operation not permitted|\bEACCES\b|\bEPERM\b|read-only file ?system|\bEROFS\b|requires approval|permission to use \S+ (?:has been|was) denied|not allowed (?:by|in|to)|access (?:is )?denied|must be (?:run as )?root|are you root\?|sandbox (?:denied|blocked|error)|outside (?:of )?(?:the )?(?:allowed|sandbox|workspace|working) (?:directory|directories|folder)/i;

/** A person, a permission mode or the system refused what the agent wanted to do. */
export class PermissionRefused implements CauseRule {
  readonly #refused = new Incidents();

  add(step: Step, seen: SeenCall | null): void {
    if (seen === null) return;
    const { call } = seen;
    if (call.outcome === "refused") {
      this.#refused.add(String(seen.subject), {
        seq: step.seq,
        quote: quoteIn(step, refusalIn(call.output), analysisTextMax),
      });
      return;
    }
    const line =
      mayHaveFailed(call) && !onlyShows(seen) && words.test(call.output.slice(0, 20_000)) ? refusalOf(call) : "";
    if (line !== "")
      this.#refused.add(String(seen.subject), { seq: step.seq, quote: quoteIn(step, line, analysisTextMax) });
    else if (call.outcome === "ok" && !this.#refused.isEmpty) this.#refused.resolve(String(seen.subject));
  }

  cause(end: RunEnd): AnalysisCause | null {
    const open = this.#refused.open;
    if (open === null) return null;
    return causeOf({
      rule: "permission_refused",
      title: "The agent was not allowed to do something",
      confidence: confidenceBy(end, open.evidence.at(-1)?.seq ?? 0),
      evidence: open.evidence,
      count: open.count,
      why: "A person, the permission mode or the system said no, and it was not allowed later either. Allow it, or give the agent another way to do it.",
    });
  }
}

function onlyShows({ effects, call }: SeenCall): boolean {
  return call.outcome === "ok" && effects.changes === "none" && effects.reads.length > 0;
}

/** The line of a refusal that the call does not expect; empty if there is none. */
function refusalOf({ output, view }: Call): string {
  const command = view.kind === "shell" ? view.command : "";
  const lines = linesOf(output.slice(0, 20_000)).filter(({ text }) => words.test(text));
  return lines.find(({ text }) => !isExpected(command, text))?.raw ?? "";
}

function refusalIn(output: string): string {
  return linesOf(output.slice(0, 20_000)).find(({ text }) => words.test(text))?.raw ?? output.slice(0, 200);
}
