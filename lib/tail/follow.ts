import type { Progress } from "#lib/contract/runs/progress.ts";
import { isEnd } from "#lib/contract/runs/run-status.ts";
import type { Access } from "#lib/store/runs/access.ts";
import type { RunRow, Store } from "#lib/store/store.ts";
import type { ChangeSignal } from "./change-signal.ts";

/** An event of a followed run. `body` is the entry's JSON text; progress is null when no work is in progress any more. */
export type TailEvent =
  | { kind: "run"; run: RunRow }
  | { kind: "entry"; seq: number; body: string }
  | { kind: "progress"; progress: Progress | null }
  | { kind: "end"; run: RunRow };

const batchEntriesMax = 100;
const batchBytesMax = 1024 * 1024;

/**
 * Follows a run: the run first, then every entry with `seq > after` in order, without gaps or duplicates, the run whenever
 * anything but its number of entries changes, and the latest progress. Ends after `end`, when the run has ended and everything
 * was sent, when the run is not visible (any more), or when the signal is aborted. Reads no faster than it is iterated: a slow
 * reader costs one batch of memory.
 */
export async function* follow(
  { store, changes }: { store: Store; changes: ChangeSignal },
  access: Access,
  runId: number,
  { after, signal }: { after: number; signal: AbortSignal },
): AsyncGenerator<TailEvent> {
  const leave = changes.enter();
  let last = after;
  let shownRun: string | null = null;
  let shownProgress: string | null = null;
  try {
    while (!signal.aborted) {
      const count = changes.count;
      // The run is read before its entries: everything its total counts is readable by then.
      const run = await store.runs.find(access, runId);
      if (run === null) return;
      if (shownRun === null) {
        shownRun = figuresOf(run);
        yield { kind: "run", run };
      }
      while (last < run.totalLogs && !signal.aborted) {
        const batch = await store.entries.readAfter(access, runId, last, batchEntriesMax, batchBytesMax);
        if (batch.length === 0) return;
        for (const entry of batch) {
          last = entry.seq;
          yield { kind: "entry", ...entry };
        }
      }
      const figures = figuresOf(run);
      if (figures !== shownRun) {
        shownRun = figures;
        yield { kind: "run", run };
      }
      if (isEnd(run.status)) {
        yield { kind: "end", run };
        return;
      }
      const progress = await store.runs.findProgress(access, runId);
      const inFlight = progress === null ? null : JSON.stringify(progress);
      if (inFlight !== shownProgress) {
        shownProgress = inFlight;
        yield { kind: "progress", progress };
      }
      await changes.after(count, signal);
    }
  } finally {
    leave();
  }
}

/** Everything that changes while a run is live, except its number of entries. */
function figuresOf(run: RunRow): string {
  return JSON.stringify([
    run.status,
    run.prompt,
    run.startedAt,
    run.finishedAt,
    run.turnStartedAt,
    run.result,
    run.summary,
    run.resultTurn,
    run.baseBranch,
    run.branch,
    run.model,
    run.turns,
    run.latestTurn,
    run.failedTurns,
    run.queuedTurns,
    run.isSteerable,
    run.queuePosition,
    run.tokens,
    run.costUsd,
    run.question,
    run.changes,
    run.repositoryFullName,
    run.bannedAt,
    run.pushed,
    run.isolation,
    pullFigures(run),
  ]);
}

/** The shown part of its pull request; the engine's own notes change with every look at the host. */
function pullFigures({ pull }: RunRow): unknown {
  if (pull == null) return null;
  const { number, url, title, state, isDraft, stage, verdict, rounds, roundsMax, checks, headCommit, error } = pull;
  return [number, url, title, state, isDraft, stage, verdict, rounds, roundsMax, checks, headCommit, error];
}
