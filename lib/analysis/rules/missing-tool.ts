import { splitCommand } from "#lib/analysis/checks/command-line.ts";
import { isExpected } from "#lib/analysis/checks/expected-failure.ts";
import { linesOf } from "#lib/analysis/checks/output-lines.ts";
import { baseName } from "#lib/analysis/checks/program.ts";
import { mayHaveFailed, type SeenCall } from "#lib/analysis/seen-call.ts";
import { quoteIn, type Step } from "#lib/analysis/step.ts";
import type { AnalysisCause } from "#lib/contract/logs/analysis.ts";
import { analysisTextMax } from "#lib/contract/logs/analysis-bounds.ts";
import { endsOfText } from "#lib/entry/text-ends.ts";
import { type CauseRule, causeOf, confidenceBy, Incidents, listed, type RunEnd } from "./cause-rule.ts";
import { mayNameMissing, missingProgramIn } from "./missing-program.ts";

/** A program that the agent called and that is not installed. */
export class MissingTool implements CauseRule {
  readonly #missing = new Incidents();

  add(step: Step, seen: SeenCall | null): void {
    const view = seen?.call.view;
    if (seen === null || view?.kind !== "shell") return;
    const missing = missingIn(seen);
    if (missing.length === 0 && this.#missing.isEmpty) return;
    const programs = programsOf(view.command);
    // Asking whether a program exists is answered either way.
    if (programs.every((name) => /^(which|whereis|command|type|hash|where)$/.test(name))) return;
    for (const { name, raw } of missing) {
      this.#missing.add(stem(name), { seq: step.seq, quote: quoteIn(step, raw, analysisTextMax) });
    }
    if (this.#missing.isEmpty || seen.call.outcome !== "ok") return;
    const gone = new Set(missing.map(({ name }) => stem(name)));
    for (const name of programs) if (!gone.has(stem(name))) this.#missing.resolve(stem(name));
  }

  cause(end: RunEnd): AnalysisCause | null {
    const open = this.#missing.open;
    if (open === null) return null;
    return causeOf({
      rule: "missing_tool",
      title: `Not installed: ${listed(open.subjects)}`,
      confidence: confidenceBy(end, open.evidence.at(-1)?.seq ?? 0),
      evidence: open.evidence,
      count: open.count,
      why: "The agent called a program that is not there, and no later call of it succeeded. Install it before the run, for instance by a setup command.",
    });
  }
}

function programsOf(command: string): string[] {
  return splitCommand(command).flatMap(({ words, program, filters, filterPrograms }) =>
    [
      ...[words, ...filters].map((own) => baseName(own[0] ?? "")),
      ...[program, ...filterPrograms].map((own) => own?.name ?? ""),
    ].filter((name) => name !== ""),
  );
}

/** `python` and `python3` are one tool, so are `docker-compose` and `docker`. */
function stem(name: string): string {
  return (
    baseName(name)
      .replace(/[\d.]+$/, "")
      .replace(/-compose$/, "") || name
  );
}

/** The ends of an output that are searched for messages of shells. */
const complaintEnds = { head: 4_000, tail: 4_000 };

/**
 * Missing programs in a call's output. Text that the call only shows may mention others: the command must name the program, or
 * run something that may call it.
 */
function missingIn({ call, effects }: SeenCall): { name: string; raw: string }[] {
  const { output, outcome, view } = call;
  if (view.kind !== "shell" || !mayNameMissing(endsOfText(output, complaintEnds))) return [];
  const isShown = effects.changes === "none" && effects.reads.length > 0;
  return linesOf(endsOfText(output, complaintEnds)).flatMap(({ text, raw }) => {
    const name = missingProgramIn(text);
    if (name === null || isExpected(view.command, text)) return [];
    const isNamed = programsOf(view.command).includes(baseName(name));
    const mayCall = !isShown && mayHaveFailed(call) && (outcome === "failed" || effects.changes !== "none");
    return isNamed || mayCall ? [{ name, raw }] : [];
  });
}
