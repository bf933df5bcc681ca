import type { CauseRule, RunEnd } from "#lib/analysis/rules/cause-rule.ts";
import { ContextCompacted } from "#lib/analysis/rules/context-compacted.ts";
import { DependencyInstall } from "#lib/analysis/rules/dependency-install.ts";
import { EditsNotApplied } from "#lib/analysis/rules/edits-not-applied.ts";
import { GaveUp } from "#lib/analysis/rules/gave-up.ts";
import { MissingTool } from "#lib/analysis/rules/missing-tool.ts";
import { NetworkBlocked } from "#lib/analysis/rules/network-blocked.ts";
import { NotVerified } from "#lib/analysis/rules/not-verified.ts";
import { PermissionRefused } from "#lib/analysis/rules/permission-refused.ts";
import { ProviderError } from "#lib/analysis/rules/provider-error.ts";
import { RunLimit } from "#lib/analysis/rules/run-limit.ts";
import { TestsRed } from "#lib/analysis/rules/tests-red.ts";
import type { SeenCall } from "#lib/analysis/seen-call.ts";
import type { Step } from "#lib/analysis/step.ts";
import type { AnalysisCause } from "#lib/contract/logs/analysis.ts";
import { analysisCausesMax } from "#lib/contract/logs/analysis-bounds.ts";

const confidences: readonly AnalysisCause["confidence"][] = ["certain", "likely", "possible"];

/** Possible causes of a run's failure: more certain ones first, equals in the order of the rules. */
export class Causes {
  readonly #rules: readonly CauseRule[] = [
    new RunLimit(),
    new ProviderError(),
    new MissingTool(),
    new NetworkBlocked(),
    new PermissionRefused(),
    new DependencyInstall(),
    new TestsRed(),
    new EditsNotApplied(),
    new ContextCompacted(),
    new GaveUp(),
    new NotVerified(),
  ];

  add(step: Step, seen: SeenCall | null): void {
    for (const rule of this.#rules) rule.add(step, seen);
  }

  result(end: RunEnd): AnalysisCause[] {
    return (
      this.#rules
        .flatMap((rule) => rule.cause(end) ?? [])
        // While entries are missing, nothing is certain.
        .map((cause): AnalysisCause => {
          return end.hasEnded || cause.confidence !== "certain" ? cause : { ...cause, confidence: "likely" };
        })
        .sort((one, other) => confidences.indexOf(one.confidence) - confidences.indexOf(other.confidence))
        .slice(0, analysisCausesMax)
    );
  }
}
