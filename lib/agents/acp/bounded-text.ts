/**
 * Text that arrives in pieces, kept within a bound: its beginning and its end. The rest is dropped from the middle, where {@link
 * BoundedText.read} says so. Lengths are UTF-16 units.
 */
export class BoundedText {
  readonly #headMax: number;
  readonly #tailMax: number;
  #head: string[] = [];
  #headLength = 0;
  #tail: string[] = [];
  #tailLength = 0;
  #dropped = 0;

  constructor(charactersMax: number) {
    this.#headMax = Math.ceil(charactersMax / 2);
    this.#tailMax = Math.floor(charactersMax / 2);
  }

  get length(): number {
    return this.#headLength + this.#tailLength + this.#dropped;
  }

  append(text: string): void {
    if (text === "") return;
    const room = this.#headMax - this.#headLength;
    const first = room > 0 ? text.slice(0, room) : "";
    if (first !== "") {
      addPiece(this.#head, first);
      this.#headLength += first.length;
    }
    const rest = text.slice(first.length);
    if (rest === "") return;
    addPiece(this.#tail, rest);
    this.#tailLength += rest.length;
    this.#trimTail();
  }

  /** The end of the text, at most 16,384 characters. */
  recent(): string {
    const pieces: string[] = [];
    let length = 0;
    for (const part of [this.#tail, this.#head]) {
      for (let at = part.length - 1; at >= 0 && length < recentMax; at -= 1) {
        const piece = part[at] ?? "";
        pieces.push(piece);
        length += piece.length;
      }
    }
    return pieces.reverse().join("").slice(-recentMax);
  }

  /** The text; `dropped` counts the characters left out of its middle. */
  read(): { text: string; dropped: number } {
    const head = this.#head.join("");
    const tail = this.#tail.join("");
    const excess = Math.max(0, tail.length - this.#tailMax);
    const dropped = this.#dropped + excess;
    return { text: dropped === 0 ? head + tail : head + cutMarker(dropped) + tail.slice(excess), dropped };
  }

  /** Drops whole pieces, and joins them only when they exceed twice the bound: each character is copied a few times at most. */
  #trimTail(): void {
    while (this.#tail.length > 1 && this.#tailLength - (this.#tail[0]?.length ?? 0) >= this.#tailMax) {
      const piece = this.#tail.shift() ?? "";
      this.#tailLength -= piece.length;
      this.#dropped += piece.length;
    }
    if (this.#tailLength < 2 * this.#tailMax + 65_536) return;
    const joined = this.#tail.join("");
    const kept = joined.slice(joined.length - this.#tailMax);
    this.#dropped += joined.length - kept.length;
    this.#tail = [kept];
    this.#tailLength = kept.length;
  }
}

const recentMax = 16_384;
const pieceLength = 4096;

/** Joins small pieces, so that a text never becomes a list of a hundred thousand. */
function addPiece(pieces: string[], text: string): void {
  const last = pieces.at(-1);
  if (last !== undefined && last.length + text.length <= pieceLength) pieces[pieces.length - 1] = last + text;
  else pieces.push(text);
}

/** The sentence in place of `dropped` characters. */
export function cutMarker(dropped: number): string {
  return `\n[… ${dropped} characters were left out here: the output is larger than Errand keeps …]\n`;
}

/** `text`, without its middle if it is longer than `charactersMax`. */
export function cutMiddle(text: string, charactersMax: number): { text: string; dropped: number } {
  const bounded = new BoundedText(charactersMax);
  bounded.append(text);
  return bounded.read();
}
