import type { LogEntry } from "#lib/contract/entry.ts";
import type { Progress } from "#lib/contract/progress.ts";
import type { Run } from "#lib/contract/run.ts";
import type { ClientError } from "./client-error.ts";

/**
 * connecting: not yet, or again; live: entries come as they are written; ended: the run has ended and all is here;
 * lost: the connection broke and is tried again; refused: the run is not to be had (see `error`), nothing is tried.
 */
export type TailState = "connecting" | "live" | "ended" | "lost" | "refused";

/** What is known of a followed run. A new object with every change. */
export type TailSnapshot = {
  state: TailState;
  run: Run | null;
  /** What is in flight; null where nothing is, or nothing is known of it. */
  progress: Progress | null;
  /** The highest seq that the run is known to have. */
  totalLogs: number;
  /** The last entries that came live, ascending, at most {@link RECENT_MAX}. */
  recent: readonly LogEntry[];
  error: ClientError | null;
};

/** How many live entries are kept at hand; older ones are read by window. */
export const RECENT_MAX = 200;
/** The part of EventSource that the tail uses. */
export type TailSource = {
  addEventListener: (name: string, listener: (event: Event) => void) => void;
  close: () => void;
};

/** What a tail needs from the world. Time is given so that tests need not wait. */
export type TailOptions = {
  /** Entries up to this seq are known already. */
  after: number;
  run: Run | null;
  /** Opens the stream after a seq. */
  open: (after: number) => TailSource;
  /** Reads the run: before each connection but the first, because an EventSource does not tell why it failed. */
  readRun: (signal: AbortSignal) => Promise<Run>;
  /** New entries, ascending by seq, each once. */
  onEntries: (entries: LogEntry[]) => void;
  /** The run as it is now. */
  onRun: (run: Run) => void;
  /** The entries from `first` to `last` were written during an absence and will not come by `onEntries`. */
  onMissed: (first: number, last: number) => void;
  /** After an absence, more missed entries than this are named by `onMissed` and not streamed. */
  catchUpMax?: number;
  /** Whether something may still happen in a run by itself. */
  isLive?: (run: Run) => boolean;
  /** Calls back once after `ms`, unless the returned function is called before. */
  schedule?: (callback: () => void, ms: number) => () => void;
  /** Calls back when new entries may be shown: before the next frame, or at once. Unless the returned function is called before. */
  nextFrame?: (callback: () => void) => () => void;
  /** Gives [0, 1). */
  random?: () => number;
};
