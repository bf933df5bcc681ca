import { findMatches } from "./find-text.ts";

/** Characters that are looked through at once: some milliseconds of work. */
const STEP_LENGTH = 1_000_000;
/** More places than this are not kept. */
export const placesMax = 100_000;

/** What is known of a search in one text: where the matches begin, in order. */
export type ScanState = { places: readonly number[]; isDone: boolean };

/** Looks through a text of any length step by step, so that the page goes on in between. */
export class TextScan {
  readonly #places: number[] = [];
  readonly #text: string;
  readonly #needle: string;
  #from = 0;

  constructor(text: string, needle: string) {
    this.#text = text;
    this.#needle = needle;
  }

  get state(): ScanState {
    return { places: [...this.#places], isDone: this.#from >= this.#text.length || this.#places.length >= placesMax };
  }

  /** Looks through the next part; gives whether there is more. */
  step(): boolean {
    const end = this.#from + STEP_LENGTH;
    // A match that begins in this part may end in the next one.
    const reach = this.#text.slice(0, end + this.#needle.length);
    let next = end;
    for (const { from, to } of findMatches(reach, this.#needle, placesMax - this.#places.length, this.#from)) {
      if (from >= end) break;
      this.#places.push(from);
      next = Math.max(next, to);
    }
    this.#from = next;
    return !this.state.isDone;
  }
}
