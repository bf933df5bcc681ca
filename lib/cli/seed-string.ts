/** Destination of the text. */
export type TextWriter = {
  /** The text's bytes in UTF-8. */
  text(text: string): void;
  /** A part of the bytes. */
  bytes(bytes: Uint8Array, start: number | undefined, end: number | undefined): void;
};

type Span = { source: SeedSource; start: number; end: number };

/** Text cut from sources serialized as JSON once: a long string costs no more than copying its bytes. */
export class SeedString {
  readonly parts: readonly (string | Span)[];

  constructor(parts: readonly (string | Span)[]) {
    this.parts = parts;
  }

  get text(): string {
    return this.parts.map((part) => (typeof part === "string" ? part : part.source.textOf(part))).join("");
  }

  /** Writes the part between the quotes in JSON. */
  writeTo(writer: TextWriter): void {
    for (const part of this.parts) {
      if (typeof part === "string") writer.text(insideOfJson(part));
      else part.source.writeTo(writer, part);
    }
  }
}

/** A template containing such text. */
export function said(words: TemplateStringsArray, ...values: SeedString[]): SeedString {
  return new SeedString(words.flatMap((word, index) => [word, ...(values[index]?.parts ?? [])]));
}

/** A text without surrogate pairs, from which parts are taken; past its end it starts again. */
export class SeedSource {
  readonly #text: string;
  readonly #json: Buffer;
  /** Where each character begins in the JSON. */
  readonly #offsets: Uint32Array;

  constructor(text: string) {
    this.#text = text;
    this.#json = Buffer.from(insideOfJson(text));
    this.#offsets = new Uint32Array(text.length + 1);
    for (let index = 0; index < text.length; index += 1) {
      this.#offsets[index + 1] = (this.#offsets[index] ?? 0) + jsonBytes(text.charCodeAt(index));
    }
    if (this.#offsets.at(-1) !== this.#json.length) throw new Error("A character is not counted right");
  }

  textOf({ start, end }: Omit<Span, "source">): string {
    return this.#text.slice(start, end);
  }

  writeTo(writer: TextWriter, { start, end }: Omit<Span, "source">): void {
    writer.bytes(this.#json, this.#offsets[start], this.#offsets[end]);
  }

  /** At most `length` characters from `offset`. */
  take(from: number, characters: number): SeedString {
    const spans: Span[] = [];
    for (let left = Math.floor(characters), start = from; left > 0; start = 0) {
      const end = Math.min(this.#text.length, start + left);
      spans.push({ source: this, start, end });
      left -= end - start;
    }
    return new SeedString(spans);
  }
}

function insideOfJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function jsonBytes(code: number): number {
  const isShortEscape = code === 0x22 || code === 0x5c || (code >= 0x08 && code <= 0x0d && code !== 0x0b);
  if (isShortEscape) return 2;
  if (code < 0x20) return 6;
  if (code < 0x80) return 1;
  return code < 0x800 ? 2 : 3;
}
