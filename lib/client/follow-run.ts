import type { LogEntry } from "#lib/contract/entry.ts";
import type { Progress } from "#lib/contract/progress.ts";
import type { Run } from "#lib/contract/run.ts";
import { ClientError } from "./client-error.ts";
import { Tail } from "./tail.ts";
import type { TailSource } from "./tail-state.ts";

/**
 * Something that happened in a run that is followed: it is as told now; it has one more entry; or this is in flight, until the
 * next progress says otherwise (null: nothing is). More types may come: pass over those that you do not know.
 */
export type RunEvent =
  | { type: "run"; run: Run }
  | { type: "entry"; entry: LogEntry }
  | { type: "progress"; progress: Progress | null };

/** How a run is followed. */
export type FollowParts = {
  /** The run as it was read. */
  run: Run;
  /** Entries up to this seq are known already. */
  after: number;
  /** Opens the stream after a seq; it reads on when `beforeRead` resolves. */
  open: (after: number, beforeRead: () => Promise<void>) => TailSource;
  readRun: (signal: AbortSignal) => Promise<Run>;
  signal: AbortSignal | undefined;
};

/** How many events may wait for whoever iterates before no more are read. */
const WAITING_MAX = 1000;

/**
 * Gives what happens in a run until it has ended and everything was given: first the run, then every entry after `after`, once
 * each, in order. A lost connection is taken up after the last entry, as often as it takes ({@link Tail}); to give up is the
 * signal's or the loop's choice. Throws the signal's reason, or a {@link ClientError} where the run is not to be had any more.
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
    // A token may ask for the reference service's words, so that the status alone does not tell.
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

/** Nothing is drawn, so nothing waits for a frame. */
function atOnce(callback: () => void): () => void {
  callback();
  return () => {};
}

/** Events that nobody has taken yet. */
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

  /** A run that is as it was is no news. */
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

  /** Nothing more is given but this. */
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

  /** Resolves when something has changed since this was last awaited. */
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
