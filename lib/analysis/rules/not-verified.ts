import { isAside } from "#lib/analysis/effects.ts";
import type { SeenCall } from "#lib/analysis/seen-call.ts";
import { quoteIn, type Step } from "#lib/analysis/step.ts";
import type { AnalysisCause } from "#lib/contract/logs/analysis.ts";
import { analysisTextMax } from "#lib/contract/logs/analysis-bounds.ts";
import { type CauseRule, causeOf, type RunEnd } from "./cause-rule.ts";

/** The last edit of code was not followed by any test, type check, linter, build or script. */
export class NotVerified implements CauseRule {
  #last: { step: Step; path: string } | null = null;
  #edits = 0;
  #checkSeq = 0;

  add(step: Step, seen: SeenCall | null): void {
    if (seen === null || seen.effects.changes !== "files") return;
    const { view } = seen.call;
    // Removing temporary files needs no test.
    if (view.kind === "shell" && /^\s*(?:cd \S+ *&& *)?(?:git )?(?:rm|mv|touch)\b/.test(view.command)) return;
    const path = seen.effects.writes.find((one) => !isAside(one));
    if (path === undefined) return;
    this.#last = { step, path };
    this.#edits += 1;
  }

  cause({ hasEnded, lastCheckSeq }: RunEnd): AnalysisCause | null {
    this.#checkSeq = lastCheckSeq ?? 0;
    if (!hasEnded || this.#last === null || this.#checkSeq > this.#last.step.seq) return null;
    const { step, path } = this.#last;
    return causeOf({
      rule: "not_verified",
      title: "Nothing was checked after the last edit",
      confidence: "possible",
      evidence: [{ seq: step.seq, quote: quoteIn(step, path, analysisTextMax) }],
      count: this.#edits,
      why:
        lastCheckSeq === null
          ? "The run changed files and ran no test, type check, linter or build at all."
          : `The last check was at step ${lastCheckSeq}, before the last change.`,
    });
  }
}
