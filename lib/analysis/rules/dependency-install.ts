import { splitCommand } from "#lib/analysis/checks/command-line.ts";
import { linesOf } from "#lib/analysis/checks/output-lines.ts";
import { errorLineOf } from "#lib/analysis/findings/errors.ts";
import { mayHaveFailed, type SeenCall } from "#lib/analysis/seen-call.ts";
import { quoteIn, type Step } from "#lib/analysis/step.ts";
import type { AnalysisCause } from "#lib/contract/logs/analysis.ts";
import { analysisTextMax } from "#lib/contract/logs/analysis-bounds.ts";
import { type CauseRule, causeOf, confidenceBy, Incidents, listed, type RunEnd } from "./cause-rule.ts";

const installers: Record<string, RegExp> = {
  npm: /^(install|i|ci|add|update|up)$/,
  pnpm: /^(install|i|add|update|up)$/,
  yarn: /^(install|add|upgrade)?$/,
  bun: /^(install|i|add|update)$/,
  pip: /^(install|download)$/,
  uv: /^(sync|add|pip|lock)$/,
  poetry: /^(install|add|update|lock)$/,
  pipenv: /^(install|sync)$/,
  conda: /^(install|create|env)$/,
  bundle: /^(install|update)?$/,
  gem: /^install$/,
  composer: /^(install|update|require)$/,
  cargo: /^(fetch|install|add|update)$/,
  go: /^(get|mod|install)$/,
  "apt-get": /^(install|update)$/,
  apt: /^(install|update)$/,
  apk: /^(add|update)$/,
  yum: /^install$/,
  dnf: /^install$/,
  brew: /^(install|bundle)$/,
  dotnet: /^restore$/,
  mix: /^deps\.get$/,
};

const failing =
  /^npm (?:ERR!|error)|ERESOLVE|E404|ERR_PNPM_|^error (?:An unexpected error|Couldn't find|Failed)|^ERROR: (?:Could not|No matching|Failed|Cannot)|^E: |No matching distribution|Could not find a version|unable to resolve|Could not find gem|version solving failed|failed to (?:resolve|fetch|download|install|build)|error: (?:failed|could not|no matching|externally-managed)|Unable to locate package|incompatible with|subprocess-exited-with-error|^error:/i;

const mayInstall = new RegExp(`\\b(?:${Object.keys(installers).join("|")})`);

/** Dependencies could not be installed. */
export class DependencyInstall implements CauseRule {
  readonly #failed = new Incidents();

  add(step: Step, seen: SeenCall | null): void {
    if (seen === null || seen.call.view.kind !== "shell" || !mayInstall.test(seen.call.view.command)) return;
    const found = installersIn(seen.call.view.command);
    if (found.length === 0) return;
    const { call } = seen;
    const isHidden = call.outcome === "ok" && mayHaveFailed(call);
    const complaint = linesOf(call.output).find(({ text }) => failing.test(text))?.raw;
    if (
      call.outcome === "failed" ||
      (isHidden && complaint !== undefined && !/\badded \d+ packages|Successfully installed/.test(call.output))
    ) {
      const line = complaint ?? errorLineOf(call);
      for (const name of found) this.#failed.add(name, { seq: step.seq, quote: quoteIn(step, line, analysisTextMax) });
    } else if (call.outcome === "ok") for (const name of found) this.#failed.resolve(name);
  }

  cause(end: RunEnd): AnalysisCause | null {
    const open = this.#failed.open;
    if (open === null) return null;
    return causeOf({
      rule: "dependency_install_failed",
      title: `Dependencies could not be installed by ${listed(open.subjects)}`,
      confidence: confidenceBy(end, open.evidence.at(-1)?.seq ?? 0),
      evidence: open.evidence,
      count: open.count,
      why: "An install failed and none by the same tool succeeded after it, so builds and tests may fail because packages are missing.",
    });
  }
}

function installersIn(command: string): string[] {
  const names = splitCommand(command).flatMap(({ program }) => {
    if (program === null) return [];
    const name = program.name.replace(/^pip[\d.]*$/, "pip");
    const verb = program.args.find((word) => !word.startsWith("-")) ?? "";
    return Object.hasOwn(installers, name) && installers[name]?.test(verb) ? [name] : [];
  });
  return [...new Set(names)];
}
