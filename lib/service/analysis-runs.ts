import { Analyzer } from "#lib/analysis/analyse.ts";
import { pathsOfDiff } from "#lib/analysis/diff-paths.ts";
import { parseExactJson } from "#lib/contract/exact-json.ts";
import { fieldsOf } from "#lib/contract/json-fields.ts";
import { isEnd } from "#lib/contract/runs/run-end.ts";
import type { RunStatus } from "#lib/contract/runs/run-status.ts";
import { Lru } from "#lib/lru.ts";
import type { AnalysisReader } from "#lib/store/entries/analysis-reader.ts";

/** A run to analyze. */
export type AskedRun = { id: number; status: RunStatus; totalLogs: number };

/** Analysis as JSON text; `isWhole` is false while some entries are unread. */
export type SaidAnalysis = { body: string; isWhole: boolean };

/** Number of live runs whose partial analyses are kept. */
const keptMax = 6;

/** Analyses that can be continued: entries are read once, in slices. */
export class AnalysisRuns {
  readonly #reader: AnalysisReader;
  readonly #analysers = new Lru<number, Analyzer>({ count: keptMax });

  constructor(reader: AnalysisReader) {
    this.#reader = reader;
  }

  /** Reads on for about `msMax`, at least one entry. Returns true once everything was read that the run had, or still has. */
  readOn(run: AskedRun, msMax: number): boolean {
    const analyser = this.#of(run.id);
    if (analyser.analysed >= run.totalLogs) return true;
    const until = performance.now() + msMax;
    // The entries of a deleted run are gone.
    let isGone = true;
    for (const body of this.#reader.bodies(run.id, analyser.analysed + 1, run.totalLogs)) {
      isGone = false;
      analyser.add(fieldsOf(parseExactJson(body)));
      if (performance.now() > until) break;
    }
    return isGone || analyser.analysed >= run.totalLogs;
  }

  /** Current analysis of a run. An ended run that was read to its end is dropped: its result is kept elsewhere. */
  say(run: AskedRun): SaidAnalysis {
    const analyser = this.#of(run.id);
    const isWhole = analyser.analysed >= run.totalLogs;
    const diff = this.#reader.diff(run.id);
    const totalLogs = Math.max(run.totalLogs, analyser.analysed);
    const keptPaths = diff === null || diff === "cut" ? diff : pathsOfDiff(diff);
    const denials = this.#reader.denials(run.id);
    const body = JSON.stringify(analyser.result({ id: run.id, status: run.status, totalLogs, keptPaths, denials }));
    if (isWhole && isEnd(run.status)) this.#analysers.delete(run.id);
    return { body, isWhole };
  }

  #of(runId: number): Analyzer {
    return this.#analysers.obtain(runId, () => new Analyzer());
  }
}
