import { errorLineOf } from "#lib/analysis/findings/errors.ts";
import type { SeenCall } from "#lib/analysis/seen-call.ts";
import { quoteIn, type Step } from "#lib/analysis/step.ts";
import type { AnalysisCause, AnalysisEvidence } from "#lib/contract/logs/analysis.ts";
import { analysisTextMax } from "#lib/contract/logs/analysis-bounds.ts";
import { type CauseRule, causeOf, type RunEnd } from "./cause-rule.ts";

const countMin = 3;

type Row = { path: string; evidence: AnalysisEvidence[]; count: number };

/** Edits of a file failed to apply three times or more before one did. */
export class EditsNotApplied implements CauseRule {
  readonly #rows = new Map<string, Row>();
  /** Series that are long enough to report, the latest last. */
  #reported: Row[] = [];

  add(step: Step, seen: SeenCall | null): void {
    const view = seen?.call.view;
    if (seen === null || view?.kind !== "edit") return;
    const path = view.changes[0]?.path ?? pathIn(seen.call.input) ?? seen.call.tool;
    if (seen.call.outcome === "ok") {
      this.#rows.delete(path);
      return;
    }
    if (seen.call.outcome !== "failed") return;
    const row = this.#rows.get(path) ?? { path, evidence: [], count: 0 };
    row.count += 1;
    if (row.evidence.length < 100) {
      row.evidence.push({ seq: step.seq, quote: quoteIn(step, errorLineOf(seen.call), analysisTextMax) });
    }
    this.#rows.set(path, row);
    if (this.#rows.size > 500)
      for (const oldest of this.#rows.keys()) {
        this.#rows.delete(oldest);
        break;
      }
    if (row.count === countMin) this.#reported = [...this.#reported.slice(-19), row];
  }

  cause({ outcome }: RunEnd): AnalysisCause | null {
    const worst = this.#reported.reduce<Row | null>(
      (most, row) => (most === null || row.count > most.count ? row : most),
      null,
    );
    if (worst === null) return null;
    const isOpen = this.#reported.some((row) => this.#rows.get(row.path) === row);
    return causeOf({
      rule: "edits_not_applied",
      title: `${worst.count} edits in a row did not apply: ${worst.path.slice(-200)}`,
      confidence: isOpen && outcome.verdict !== "answered" ? "likely" : "possible",
      evidence: this.#reported.flatMap(({ evidence }) => evidence).sort((one, other) => one.seq - other.seq),
      count: this.#reported.reduce((sum, { count }) => sum + count, 0),
      why: isOpen
        ? "The edit did not match the file's content, and no later edit of that file succeeded."
        : "The edit did not match the file's content; a later edit succeeded.",
    });
  }
}

function pathIn(input: Record<string, unknown>): string | null {
  for (const name of ["file_path", "filePath", "path"]) {
    const value = input[name];
    if (typeof value === "string" && value !== "") return value;
  }
  return null;
}
