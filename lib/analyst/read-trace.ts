import { setImmediate } from "node:timers/promises";
import { Analyzer } from "#lib/analysis/analyse.ts";
import { pathsOfDiff } from "#lib/analysis/diff-paths.ts";
import { parseExactJson } from "#lib/contract/exact-json.ts";
import { Analysis } from "#lib/contract/logs/analysis.ts";
import type { AnalysedRun } from "#lib/store/runs/analysis-runs.ts";
import type { Store } from "#lib/store/store.ts";
import { type PreparedTrace, prepareTrace, type TraceSource } from "./prepare-trace.ts";

/** Masking of everything passed to an agent: as for a shared page. */
export type TraceMasks = {
  /** A stored entry with its secrets masked and its strings cut at `clip` characters; null: uncut. */
  present(body: string, clip: number | null): string;
  /** A JSON value with its secrets masked and no text longer than before; the value may be changed. */
  maskJson(value: unknown): unknown;
};

/** The masks of a run, with the secrets of now. */
type FindMasks = (run: { organizationId: number; repositoryId: number | null; runId: number }) => Promise<TraceMasks>;

const pageBytes = 4_000_000;

/** Reads a run's log, analyzes it and writes it into a checkout. */
export function tracePreparer(store: Pick<Store, "runs" | "entries" | "networks">, findMasks: FindMasks) {
  return async (
    analysed: AnalysedRun & { organizationId: number },
    folder: string,
    signal: AbortSignal,
  ): Promise<PreparedTrace> =>
    prepareTrace(folder, await readTrace(store, analysed.organizationId, analysed, findMasks, signal), signal);
}

/** Reads a run's log from its first entry to its newest, and analyzes it. Throws if the run is gone. */
export async function readTrace(
  store: Pick<Store, "runs" | "entries" | "networks">,
  organizationId: number,
  { runId, webUrl }: AnalysedRun,
  findMasks: FindMasks,
  signal: AbortSignal,
): Promise<TraceSource> {
  const access = { organizationId, userId: null };
  const [run, diff, denials] = await Promise.all([
    store.runs.find(access, runId),
    store.runs.findDiff(access, runId),
    store.networks.listDenials(access, runId),
  ]);
  if (run === null) throw new Error(`Run ${runId}, which is to be analyzed, is gone.`);
  const masks = await findMasks({ organizationId, repositoryId: run.repositoryId, runId });
  const analyser = new Analyzer();
  let bytes = 0;
  for (let after = 0; after < run.totalLogs; ) {
    signal.throwIfAborted();
    const page = await store.entries.readAfter(access, runId, after, Math.min(100, run.totalLogs - after), pageBytes);
    if (page.length === 0) break;
    for (const { seq, body } of page) {
      // The store wrote it from an entry.
      analyser.add(parseExactJson(body) as Record<string, unknown>);
      bytes += Buffer.byteLength(body);
      after = seq;
    }
    // The engine has other work too.
    await setImmediate();
  }
  // If a diff was too large to store in full, it is unknown which paths it leaves out.
  const isCut = run.changes?.truncated === true;
  const keptPaths = isCut ? "cut" : run.changes === null || diff === null ? null : pathsOfDiff(diff);
  const analysis = analyser.result({
    id: runId,
    status: run.status,
    totalLogs: run.totalLogs,
    keptPaths,
    denials: denials ?? [],
  });
  return {
    runId,
    webUrl,
    status: run.status,
    analysis: Analysis.parse(masks.maskJson(structuredClone(analysis))),
    bytes,
    readChosen: (seqs) => store.entries.readChosen(access, runId, seqs, pageBytes),
    present: masks.present,
  };
}
