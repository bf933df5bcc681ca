import { jumpsMs } from "#components/feed/feed-controller.ts";
import type { FeedRange } from "#components/feed/feed-range.ts";
import { windowStart, windowsAround, windowsOver } from "./log-windows.ts";

/** What is scrolled past more quickly than this is not loaded. */
const RESTS_MS = 30;
/** Somebody who never stops scrolling sees something at least this often. */
const RESTS_MS_MAX = 200;
/** So many entries more are loaded where the reader is heading, and steps up to that size count as scrolling. */
const AHEAD = 20;

type WantedWindowsOptions = {
  /** How many entries the list has at first. */
  count: number;
  /** The windows of the first screen, by how many entries they skip. */
  initial: readonly number[];
  /** Whether a window is at hand. */
  isKnown: (skip: number) => boolean;
  /** Asks for a window; resolves when it has come. */
  ask: (skip: number) => Promise<unknown>;
  /** In ms, of any clock. */
  now: () => number;
  /** Calls back later; the result takes it back. */
  schedule: (callback: () => void, ms: number) => () => void;
  /** Calls back before the next frame; the result takes it back. */
  nextFrame: (callback: () => void) => () => void;
};

/** Which windows of a list are wanted around the view: those that the reader rests at, and those that they jump to, at once. */
export class WantedWindows {
  /** How many entries the list has by now. */
  count: number;
  readonly #options: WantedWindowsOptions;
  readonly #listeners = new Set<() => void>();
  #skips: readonly number[];
  /** The item that was rendered first when the list was scrolled last. */
  #first = 0;
  #cancel = () => {};
  /** Since when windows wait to be wanted; null while none do. */
  #waitsSince: number | null = null;
  /** The last jump, and whether what it leads to has been asked for before the list was told. */
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

  /** The items that are rendered: what is around them is wanted once the reader rests there. */
  readonly rendered = ({ first, last }: FeedRange): void => {
    const step = first - this.#first;
    this.#first = first;
    const [up, down] = Math.abs(step) > AHEAD ? [0, 0] : [step < 0 ? AHEAD : 0, step > 0 ? AHEAD : 0];
    this.#want(windowsAround(first - up, last + down, this.count));
  };

  /**
   * Asks for what a reader will see who is about to be taken to a place. Resolves when the entry there has come; null where it is
   * at hand, or need not be waited for: of jumps that follow each other, as of a hand that drags, only the last one is loaded.
   */
  readonly prepare = (place: number, { first, last }: FeedRange): Promise<unknown> | null => {
    const atMs = this.#options.now();
    const isAlone = atMs - this.#jump.atMs > jumpsMs;
    this.#jump = { atMs, isPrepared: isAlone };
    if (!isAlone) return null;
    // What lies further around comes once the reader is there.
    const missing = windowsOver(first, last, this.count).filter((skip) => !this.#options.isKnown(skip));
    const asked = missing.map((skip) => this.#options.ask(skip));
    return asked[missing.indexOf(windowStart(place))] ?? null;
  };

  /** The reader is taken to where these items will be rendered: they are wanted at once. */
  readonly jumped = ({ first, last }: FeedRange): void => {
    const atMs = this.#options.now();
    const isAlone = this.#jump.isPrepared || atMs - this.#jump.atMs > jumpsMs;
    this.#jump = { atMs, isPrepared: false };
    if (!isAlone) return;
    const wanted = windowsAround(first, last, this.count);
    // Asked for in the key's own task, not once the list has been rendered without them.
    for (const skip of wanted) void this.#options.ask(skip);
    this.#first = first;
    this.#cancel();
    this.#take(wanted);
  };

  /** The list is gone: nothing is wanted later. */
  stop(): void {
    this.#cancel();
  }

  #want(wanted: readonly number[]): void {
    const { isKnown, now, schedule, nextFrame } = this.#options;
    this.#cancel();
    // Windows that are at hand are shown in the same frame.
    const isAtHand = wanted.every(isKnown);
    this.#waitsSince ??= now();
    // Who scrolls in every frame would put it off for ever.
    if (isAtHand || now() - this.#waitsSince >= RESTS_MS_MAX) this.#take(wanted);
    else
      this.#cancel = schedule(() => {
        // A page that is slow to render has scroll events waiting, which come before its next frame.
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
