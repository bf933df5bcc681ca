import { Analyser } from "#lib/analysis/analyse.ts";
import { pathsOfDiff } from "#lib/analysis/diff-paths.ts";
import { fieldsOf } from "#lib/contract/json-fields.ts";
import { isEnd } from "#lib/contract/run-end.ts";
import type { RunStatus } from "#lib/contract/run-status.ts";
import { Lru } from "#lib/lru.ts";
import type { AnalysisReader } from "#lib/store/analysis-reader.ts";

/** A run whose analysis is wanted, as it was found. */
export type AskedRun = { id: number; status: RunStatus; totalLogs: number };

/** An analysis as JSON text; `isWhole` is false where there are entries that it has not read. */
export type SaidAnalysis = { body: string; isWhole: boolean };

/** Runs that may grow are kept as far as they were read, so many of them. */
const keptMax = 6;

/** Analyses that go on where they stand: entries are read once, in slices. */
export class AnalysisRuns {
  readonly #reader: AnalysisReader;
  readonly #analysers = new Lru<number, Analyser>({ count: keptMax });

  constructor(reader: AnalysisReader) {
    this.#reader = reader;
  }

  /** Reads on for about so many ms, at least one entry; true when all that the run had was read. */
  readOn(run: AskedRun, msMax: number): boolean {
    const analyser = this.#of(run.id);
    if (analyser.analysed >= run.totalLogs) return true;
    const until = performance.now() + msMax;
    for (const body of this.#reader.bodies(run.id, analyser.analysed + 1, run.totalLogs)) {
      analyser.add(fieldsOf(JSON.parse(body)));
      if (performance.now() > until) break;
    }
    return analyser.analysed >= run.totalLogs;
  }

  /** What is known of a run now. One that has ended and was read to its end is forgotten: the answer is kept elsewhere. */
  say(run: AskedRun): SaidAnalysis {
    const analyser = this.#of(run.id);
    const isWhole = analyser.analysed >= run.totalLogs;
    const diff = this.#reader.diff(run.id);
    const totalLogs = Math.max(run.totalLogs, analyser.analysed);
    const keptPaths = diff === null || diff === "cut" ? diff : pathsOfDiff(diff);
    const body = JSON.stringify(analyser.result({ id: run.id, status: run.status, totalLogs, keptPaths }));
    if (isWhole && isEnd(run.status)) this.#analysers.delete(run.id);
    return { body, isWhole };
  }

  #of(runId: number): Analyser {
    return this.#analysers.obtain(runId, () => new Analyser());
  }
}
