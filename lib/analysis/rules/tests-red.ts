import type { RedCheck } from "#lib/analysis/checks/test-runs.ts";
import type { AnalysisCause } from "#lib/contract/logs/analysis.ts";
import { type CauseRule, causeOf, type RunEnd } from "./cause-rule.ts";

const names = {
  test: "Tests",
  typecheck: "The type check",
  build: "The build",
  lint: "The linter",
  script: "A script",
};

/** A check fails at the end: no passing run has replaced its last verdict. */
export class TestsRed implements CauseRule {
  add(): void {
    // The whole analysis tracks the runs of tests.
  }

  cause({ red, hasEnded }: RunEnd): AnalysisCause | null {
    const counted = red.filter(({ check }) => check.kind !== "script");
    const shown = pick(counted);
    if (shown === null) return null;
    const { first, run, evidence, check, greenSeq } = shown;
    const others = counted.filter((one) => one !== shown);
    const start = first.run.seq === run.seq ? [] : [first.evidence];
    const since =
      greenSeq === null
        ? ", and no earlier run passed."
        : `. It passed at step ${greenSeq} and first failed after that at step ${first.run.seq}.`;
    return causeOf({
      rule: "tests_red_at_end",
      title: `${titleOf(check.kind, hasEnded)}: ${run.command.slice(0, 200)}`,
      confidence: check.kind === "test" ? "certain" : "likely",
      evidence: [evidence, ...start, ...others.map((one) => one.evidence)],
      count: counted.length,
      why: `The last run failed${since}${run.flagged ? "" : " The call itself shows no error."}`,
    });
  }
}

function titleOf(kind: keyof typeof names, hasEnded: boolean): string {
  const isMany = kind === "test";
  if (hasEnded) return `${names[kind]} ${isMany ? "were" : "was"} failing at the end`;
  return `${names[kind]} ${isMany ? "are" : "is"} failing`;
}

/** Tests take precedence over builds, builds over linters; of equals the latest. */
function pick(red: readonly RedCheck[]): RedCheck | null {
  for (const kind of ["test", "typecheck", "build", "lint"]) {
    const found = red.findLast(({ check }) => check.kind === kind);
    if (found !== undefined) return found;
  }
  return null;
}
