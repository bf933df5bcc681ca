import { jumpsMs } from "#components/feed/feed-controller.ts";
import type { FeedRange } from "#components/feed/feed-range.ts";
import type { callLater } from "#components/ui/call-later.ts";
import { windowStart, windowsAround, windowsOver } from "./log-windows.ts";

/** Windows scrolled past faster than this, in ms, are not loaded. */
const RESTS_MS = 30;
/** During endless scrolling something is loaded at least this often, in ms. */
const RESTS_MS_MAX = 200;
/** Number of entries loaded ahead of the reader; moves up to this size count as scrolling, larger ones as jumps. */
const AHEAD = 20;

type WantedWindowsOptions = {
  /** Initial number of entries in the list. */
  count: number;
  /** The windows of the first screen, by how many entries they skip. */
  initial: readonly number[];
  /** Whether a window is loaded. */
  isKnown: (skip: number) => boolean;
  /** Loads a window. */
  ask: (skip: number) => Promise<unknown>;
  /** In ms, by any clock. */
  now: () => number;
  /** Calls back later; the result cancels that. */
  schedule: typeof callLater;
  /** Calls back before the next frame; the result cancels that. */
  nextFrame: (callback: () => void) => () => void;
};

/** Decides which windows of a list to load: those around the view after a pause in scrolling, those of a jump immediately. */
export class WantedWindows {
  /** The list's number of entries. */
  count: number;
  readonly #options: WantedWindowsOptions;
  readonly #listeners = new Set<() => void>();
  #skips: readonly number[];
  /** The first rendered item after the last scrolling. */
  #first = 0;
  #cancel = () => {};
  /** Since when windows have been waiting; null while none are. */
  #waitsSince: number | null = null;
  /** The last jump, and whether its windows were requested before the list was told. */
  #jump = { atMs: Number.NEGATIVE_INFINITY, isPrepared: false };

  constructor(options: WantedWindowsOptions) {
    this.#options = options;
    this.#skips = options.initial;
    this.count = options.count;
  }

  /** The windows that are wanted now, by how many entries they skip: the same array until it changes. */
  get skips(): readonly number[] {
    return this.#skips;
  }

  /** Calls back after each change, until the returned function is called. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Takes the rendered items: the windows around them are wanted after a pause in scrolling. */
  readonly rendered = ({ first, last }: FeedRange): void => {
    const step = first - this.#first;
    this.#first = first;
    const [up, down] = Math.abs(step) > AHEAD ? [0, 0] : [step < 0 ? AHEAD : 0, step > 0 ? AHEAD : 0];
    this.#want(windowsAround(first - up, last + down, this.count));
  };

  /**
   * Loads what a jump to a place will show. Resolves when the entry there is loaded; null if it already is, or need not be
   * awaited: of jumps that follow each other, as while dragging, only the last one is loaded.
   */
  readonly prepare = (place: number, { first, last }: FeedRange): Promise<unknown> | null => {
    const atMs = this.#options.now();
    const isAlone = atMs - this.#jump.atMs > jumpsMs;
    this.#jump = { atMs, isPrepared: isAlone };
    if (!isAlone) return null;
    // The surroundings are loaded on arrival.
    const missing = windowsOver(first, last, this.count).filter((skip) => !this.#options.isKnown(skip));
    const asked = missing.map((skip) => this.#options.ask(skip));
    return asked[missing.indexOf(windowStart(place))] ?? null;
  };

  /** A jump will render these items: they are wanted at once. */
  readonly jumped = ({ first, last }: FeedRange): void => {
    const atMs = this.#options.now();
    const isAlone = this.#jump.isPrepared || atMs - this.#jump.atMs > jumpsMs;
    this.#jump = { atMs, isPrepared: false };
    if (!isAlone) return;
    const wanted = windowsAround(first, last, this.count);
    // Requested in the key's own task, rather than after the list has been rendered without them.
    for (const skip of wanted) void this.#options.ask(skip);
    this.#first = first;
    this.#cancel();
    this.#take(wanted);
  };

  /** To be called when the list is gone: cancels everything pending. */
  stop(): void {
    this.#cancel();
  }

  #want(wanted: readonly number[]): void {
    const { isKnown, now, schedule, nextFrame } = this.#options;
    this.#cancel();
    // Loaded windows are shown in the same frame.
    const isAtHand = wanted.every(isKnown);
    this.#waitsSince ??= now();
    // Scrolling in every frame would postpone loading forever.
    if (isAtHand || now() - this.#waitsSince >= RESTS_MS_MAX) this.#take(wanted);
    else
      this.#cancel = schedule(() => {
        // On a slow page scroll events are queued; they are handled before its next frame.
        this.#cancel = nextFrame(() => this.#take(wanted));
      }, RESTS_MS);
  }

  #take(wanted: readonly number[]): void {
    this.#waitsSince = null;
    if (this.#skips.length === wanted.length && this.#skips.every((skip, place) => skip === wanted[place])) return;
    this.#skips = wanted;
    for (const listener of this.#listeners) listener();
  }
}
