import { ClientError } from "#lib/client/client-error.ts";
import type { LogEntry } from "#lib/contract/logs/entry.ts";
import type { Progress } from "#lib/contract/runs/progress.ts";
import type { Run } from "#lib/contract/runs/run.ts";
import { Tail } from "./tail.ts";
import type { TailSource } from "./tail-state.ts";

/**
 * An event of a followed run: its new state; one more entry; or its progress, valid until the next one (null: none). More types
 * may be added: ignore unknown ones.
 */
export type RunEvent =
  | { type: "run"; run: Run }
  | { type: "entry"; entry: LogEntry }
  | { type: "progress"; progress: Progress | null };

/** Options for following a run. */
export type FollowParts = {
  /** The run as it was read. */
  run: Run;
  /** Entries up to this seq are already known. */
  after: number;
  /** Opens the stream after a seq; it continues reading when `beforeRead` resolves. */
  open: (after: number, beforeRead: () => Promise<void>) => TailSource;
  readRun: (signal: AbortSignal) => Promise<Run>;
  signal: AbortSignal | undefined;
};

/** Events that may wait for the consumer before reading stops. */
const WAITING_MAX = 1000;

/**
 * Yields the events of a run until it has ended and everything was yielded: first the run, then every entry after `after`, once
 * each, in order. Reconnects after the last entry, as often as needed ({@link Tail}); giving up is up to the signal or the
 * loop. Throws the signal's reason, or a {@link ClientError} if the run is no longer accessible.
 */
export async function* followRun({ run, after, open, readRun, signal }: FollowParts): AsyncGenerator<RunEvent> {
  const waiting = new Waiting();
  const tail = new Tail({
    run,
    after,
    open: (from) => open(from, () => waiting.hasRoom()),
    readRun,
    onEntries: (entries) => waiting.add(...entries.map((entry): RunEvent => ({ type: "entry", entry }))),
    onRun: (next) => waiting.addRun(next),
    onMissed: (first, last) => waiting.fail(missed(first, last)),
    catchUpMax: Number.POSITIVE_INFINITY,
    // A token may use the reference service's vocabulary, so the status alone is not enough.
    isLive: ({ finished_at }) => finished_at === null,
    nextFrame: atOnce,
  });
  tail.subscribe(() => waiting.takeProgress(tail.snapshot.progress));
  const stop = () => waiting.fail(signal?.reason);
  signal?.addEventListener("abort", stop);
  try {
    signal?.throwIfAborted();
    waiting.addRun(run);
    tail.start();
    for (;;) {
      yield* waiting.take();
      const { state, error } = tail.snapshot;
      if (state === "refused") throw error;
      if (state === "ended") return yield* waiting.take();
      await waiting.forMore();
    }
  } finally {
    tail.stop();
    signal?.removeEventListener("abort", stop);
  }
}

function missed(first: number, last: number): ClientError {
  return new ClientError("unexpected_answer", `The stream left out the entries ${first} to ${last}.`);
}

/** Nothing is rendered, so nothing waits for a frame. */
function atOnce(callback: () => void): () => void {
  callback();
  return () => {};
}

/** Events not yet consumed. */
class Waiting {
  #events: RunEvent[] = [];
  #run = "";
  #progress: Progress | null = null;
  #failure: { cause: unknown } | null = null;
  #hasChanged = false;
  #wake: () => void = () => {};
  #makeRoom: () => void = () => {};

  add(...events: RunEvent[]): void {
    this.#events.push(...events);
    this.#change();
  }

  /** An unchanged run is not an event. */
  addRun(run: Run): void {
    const text = JSON.stringify(run);
    if (text !== this.#run) this.add({ type: "run", run });
    this.#run = text;
  }

  /** Only the latest progress waits. */
  takeProgress(progress: Progress | null): void {
    this.#change();
    if (progress === this.#progress) return;
    this.#progress = progress;
    if (this.#events.at(-1)?.type === "progress") this.#events.pop();
    this.add({ type: "progress", progress });
  }

  /** Nothing is yielded after this. */
  fail(cause: unknown): void {
    this.#failure ??= { cause };
    this.#change();
  }

  *take(): Generator<RunEvent> {
    while (this.#events.length > 0) {
      const events = this.#events;
      this.#events = [];
      this.#makeRoom();
      for (const event of events) {
        if (this.#failure !== null) throw this.#failure.cause;
        yield event;
      }
    }
    if (this.#failure !== null) throw this.#failure.cause;
  }

  /** Resolves when something has changed since the last await. */
  async forMore(): Promise<void> {
    if (!this.#hasChanged) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    this.#hasChanged = false;
  }

  async hasRoom(): Promise<void> {
    if (this.#events.length < WAITING_MAX) return;
    await new Promise<void>((resolve) => {
      this.#makeRoom = resolve;
    });
  }

  #change(): void {
    this.#hasChanged = true;
    this.#wake();
  }
}
