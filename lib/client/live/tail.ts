import { ClientError } from "#lib/client/client-error.ts";
import { parseExactJson } from "#lib/contract/exact-json.ts";
import type { LogEntry } from "#lib/contract/logs/entry.ts";
import type { Progress } from "#lib/contract/runs/progress.ts";
import type { Run } from "#lib/contract/runs/run.ts";
import { backoffMs } from "./backoff.ts";
import { isLive } from "./is-live.ts";
import { RECENT_MAX, type TailOptions, type TailSnapshot, type TailSource } from "./tail-state.ts";

/** In a page, if more entries than this were missed, they are read by window as needed, not streamed. */
const CATCH_UP_MAX = 200;
/** A page hidden for longer than this closes its connection: a browser has six per host. */
const HIDDEN_MS_MAX = 30_000;

/**
 * Follows one run. It handles reconnecting itself, because an EventSource that reconnects by itself neither backs off nor
 * learns that the session has ended. Entries never repeat and never skip: those the stream cannot deliver are reported to
 * `onMissed`.
 */
export class Tail {
  readonly #options: Required<TailOptions>;
  readonly #listeners = new Set<() => void>();
  #snapshot: TailSnapshot;
  #source: TailSource | null = null;
  #reading: AbortController | null = null;
  #lastSeq: number;
  #attempt = 0;
  #hasConnected = false;
  #isHidden = false;
  #batch: LogEntry[] = [];
  #cancelBatch: (() => void) | null = null;
  #retryTimer: ReturnType<typeof setTimeout> | undefined;
  #hidingTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: TailOptions) {
    this.#options = { random: Math.random, catchUpMax: CATCH_UP_MAX, isLive, ...options };
    const { run, after } = options;
    this.#lastSeq = after;
    const isOver = run !== null && !this.#options.isLive(run) && run.total_logs <= after;
    this.#snapshot = {
      state: isOver ? "ended" : "connecting",
      run,
      progress: null,
      totalLogs: Math.max(run?.total_logs ?? 0, after),
      recent: [],
      error: null,
    };
  }

  /** The current state: the same object until something changes. */
  get snapshot(): TailSnapshot {
    return this.#snapshot;
  }

  /** Calls back after each change, until the returned function is called. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Starts following; does nothing if the run is known to have ended. */
  start(): void {
    if (this.#snapshot.state === "ended" || this.#source !== null) return;
    this.#connect();
  }

  /** Closes everything. {@link start} continues where this left off. */
  stop(): void {
    this.#flush();
    this.#disconnect();
    clearTimeout(this.#hidingTimer);
  }

  /** Retries at once, or checks a connection that may be dead without notice. */
  refresh(): void {
    if (this.#snapshot.state === "ended" || this.#snapshot.state === "refused" || this.#isHidden) return;
    this.#disconnect();
    void this.#reconnect();
  }

  /**
   * Takes a run from a response. It may be live again (it was resumed): then it is followed from where it had ended. An open stream
   * brings every change by itself, and may have brought later ones than the response has.
   */
  follow(run: Run): void {
    if (this.#snapshot.state === "live" && this.#source !== null) return;
    this.#takeRun(run);
    if (this.#snapshot.state !== "ended" || (!this.#options.isLive(run) && run.total_logs <= this.#lastSeq)) return;
    this.#set({ state: "connecting" });
    this.#connect();
  }

  /** The page was hidden or shown. */
  setHidden(isHidden: boolean): void {
    clearTimeout(this.#hidingTimer);
    if (isHidden) {
      this.#hidingTimer = setTimeout(() => {
        this.#isHidden = true;
        this.#disconnect();
      }, HIDDEN_MS_MAX);
    } else if (this.#isHidden || this.#snapshot.state === "lost") {
      this.#isHidden = false;
      this.refresh();
    }
  }

  #connect(): void {
    const source = this.#options.open(this.#lastSeq);
    this.#source = source;
    this.#hasConnected = true;
    // A stream begins with the present progress, if there is any.
    if (this.#snapshot.progress !== null) this.#set({ progress: null });
    source.addEventListener("open", () => this.#set({ state: "live", error: null }));
    source.addEventListener("error", () => {
      if (source === this.#source) this.#lose();
    });
    this.#on(source, "entry", (entry: LogEntry) => this.#takeEntry(entry));
    this.#on(source, "run", (run: Run) => this.#takeRun(run));
    this.#on(source, "progress", (progress: Progress) => this.#set({ progress }));
    this.#on(source, "end", () => this.#end());
  }

  #on<T>(source: TailSource, name: string, take: (data: T) => void): void {
    source.addEventListener(name, (event: Event) => {
      if (source !== this.#source) return;
      this.#attempt = 0;
      // `end` may arrive without data.
      take((event instanceof MessageEvent && event.data !== "" ? parseExactJson(event.data) : null) as T);
    });
  }

  #takeEntry(entry: LogEntry): void {
    if (entry.seq <= this.#lastSeq) return;
    if (entry.seq > this.#lastSeq + 1) {
      this.#flush();
      this.#options.onMissed(this.#lastSeq + 1, entry.seq - 1);
    }
    this.#lastSeq = entry.seq;
    this.#batch.push(entry);
    // Everything that arrives before a frame goes into it: a slow page gets more at once, and keeps up.
    this.#cancelBatch ??= this.#options.nextFrame(() => this.#flush());
    if (this.#batch.length === 0) this.#cancelBatch = null;
  }

  #flush(): void {
    this.#cancelBatch?.();
    this.#cancelBatch = null;
    const entries = this.#batch;
    if (entries.length === 0) return;
    this.#batch = [];
    const recent = [...this.#snapshot.recent, ...entries].slice(-RECENT_MAX);
    this.#options.onEntries(entries);
    this.#set({ recent, totalLogs: Math.max(this.#snapshot.totalLogs, this.#lastSeq) });
  }

  #takeRun(run: Run): void {
    // The run's state must not overtake the entries that came before it.
    this.#flush();
    this.#options.onRun(run);
    const totalLogs = Math.max(this.#snapshot.totalLogs, run.total_logs);
    this.#set({ run, totalLogs, progress: this.#options.isLive(run) ? this.#snapshot.progress : null });
  }

  #end(): void {
    this.#flush();
    this.#disconnect();
    this.#set({ state: "ended", progress: null, error: null });
  }

  #lose(): void {
    this.#flush();
    this.#disconnect();
    this.#set({ state: "lost" });
    this.#retryLater();
  }

  #retryLater(): void {
    const waitMs = backoffMs(this.#attempt, this.#options.random);
    this.#attempt += 1;
    this.#retryTimer = setTimeout(() => void this.#reconnect(), waitMs);
  }

  async #reconnect(): Promise<void> {
    if (!this.#hasConnected) return this.#connect();
    const reading = new AbortController();
    this.#reading = reading;
    try {
      const run = await this.#options.readRun(reading.signal);
      if (reading.signal.aborted) return;
      this.#takeRun(run);
      this.#skipMissed(run.total_logs);
      if (!this.#options.isLive(run) && run.total_logs <= this.#lastSeq) return this.#end();
      this.#connect();
    } catch (cause) {
      if (reading.signal.aborted) return;
      const error = cause instanceof ClientError ? cause : new ClientError("unreachable", String(cause), { cause });
      this.#set({ state: error.isTransient ? "lost" : "refused", error });
      if (error.isTransient) this.#retryLater();
    }
  }

  #skipMissed(totalLogs: number): void {
    if (totalLogs - this.#lastSeq <= this.#options.catchUpMax) return;
    const first = this.#lastSeq + 1;
    this.#lastSeq = totalLogs;
    this.#set({ recent: [] });
    this.#options.onMissed(first, totalLogs);
  }

  #disconnect(): void {
    this.#source?.close();
    this.#source = null;
    this.#reading?.abort();
    this.#reading = null;
    clearTimeout(this.#retryTimer);
  }

  #set(change: Partial<TailSnapshot>): void {
    this.#snapshot = { ...this.#snapshot, ...change };
    for (const listener of this.#listeners) listener();
  }
}
