import type { ClientError } from "#lib/client/client-error.ts";
import type { LogEntry } from "#lib/contract/logs/entry.ts";
import type { Progress } from "#lib/contract/runs/progress.ts";
import type { Run } from "#lib/contract/runs/run.ts";

/**
 * connecting: not yet, or again; live: entries arrive as they are written; ended: the run has ended and everything is here;
 * lost: the connection broke and is retried; refused: the run is not accessible (see `error`), nothing is retried.
 */
export type TailState = "connecting" | "live" | "ended" | "lost" | "refused";

/** State of a followed run. A new object with every change. */
export type TailSnapshot = {
  state: TailState;
  run: Run | null;
  /** Work in progress; null if there is none, or none is known. */
  progress: Progress | null;
  /** Highest seq that the run is known to have. */
  totalLogs: number;
  /** The last live entries, ascending, at most {@link RECENT_MAX}. */
  recent: readonly LogEntry[];
  error: ClientError | null;
};

/** Number of live entries kept; older ones are read by window. */
export const RECENT_MAX = 200;
/** The part of EventSource that the tail uses. */
export type TailSource = {
  addEventListener: (name: string, listener: (event: Event) => void) => void;
  close: () => void;
};

/** Dependencies of a tail. */
export type TailOptions = {
  /** Entries up to this seq are already known. */
  after: number;
  run: Run | null;
  /** Opens the stream after a seq. */
  open: (after: number) => TailSource;
  /** Reads the run: before each connection except the first, because an EventSource does not say why it failed. */
  readRun: (signal: AbortSignal) => Promise<Run>;
  /** New entries, ascending by seq, each once. */
  onEntries: (entries: LogEntry[]) => void;
  /** The run's new state. */
  onRun: (run: Run) => void;
  /** The entries from `first` to `last` were written during an absence and will not arrive through `onEntries`. */
  onMissed: (first: number, last: number) => void;
  /** After an absence, if more entries than this were missed, they are reported to `onMissed` and not streamed. */
  catchUpMax?: number;
  /** Whether something may still happen in a run by itself. */
  isLive?: (run: Run) => boolean;
  /**
   * Calls back when new entries may be shown: before the next frame, or at once. Unless the returned function is called first.
   */
  nextFrame: (callback: () => void) => () => void;
  /** Returns [0, 1). */
  random?: () => number;
};
