import { findMatches } from "./find-text.ts";

/** Characters searched in one step: some milliseconds of work. */
const STEP_LENGTH = 1_000_000;
/** Maximum number of places kept. */
export const placesMax = 100_000;

/** Result of a search in one text so far: where the matches begin, in order. */
export type ScanState = { places: readonly number[]; isDone: boolean };

/** Searches a text of any length step by step, so that the page stays responsive. */
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

  /** Searches the next part. Returns whether there is more. */
  step(): boolean {
    const end = this.#from + STEP_LENGTH;
    // A match that begins in this part may end in the next.
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
