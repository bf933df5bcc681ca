import type { AnalysisCause } from "#lib/contract/analysis.ts";
import { analysisCausesMax } from "#lib/contract/analysis-bounds.ts";
import type { CauseRule, RunEnd } from "./rules/cause-rule.ts";
import { ContextCompacted } from "./rules/context-compacted.ts";
import { DependencyInstall } from "./rules/dependency-install.ts";
import { EditsNotApplied } from "./rules/edits-not-applied.ts";
import { GaveUp } from "./rules/gave-up.ts";
import { MissingTool } from "./rules/missing-tool.ts";
import { NetworkBlocked } from "./rules/network-blocked.ts";
import { NotVerified } from "./rules/not-verified.ts";
import { PermissionRefused } from "./rules/permission-refused.ts";
import { ProviderError } from "./rules/provider-error.ts";
import { RunLimit } from "./rules/run-limit.ts";
import { TestsRed } from "./rules/tests-red.ts";
import type { SeenCall } from "./seen-call.ts";
import type { Step } from "./step.ts";

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
