import { SeedString } from "./seed-string.ts";

/** A JSON value whose strings may be seeded ones. */
export type SeedValue =
  | string
  | number
  | boolean
  | null
  | undefined
  | SeedString
  | SeedValue[]
  | { [key: string]: SeedValue };

/** A reusable byte buffer: a trace has so many texts that allocating one for each would cost most of all. */
export class JsonWriter {
  #room = Buffer.allocUnsafe(1024 * 1024);
  #end = 0;
  /** Text waiting for the next bytes: each call costs more than a short text. */
  #text = "";

  /** Number of bytes written. */
  get length(): number {
    this.#flush();
    return this.#end;
  }

  /** Bytes written from a position on; valid until more is written after {@link cut}. */
  bytesFrom(start: number): Uint8Array<ArrayBuffer> {
    this.#flush();
    return this.#room.subarray(start, this.#end);
  }

  /** Discards everything from a position on. */
  cut(length: number): void {
    this.#text = "";
    this.#end = length;
  }

  text(text: string): void {
    this.#text += text;
  }

  bytes(from: Uint8Array, start = 0, end = from.length): void {
    this.#flush();
    this.#makeRoom(end - start);
    if (end - start === from.length) this.#room.set(from, this.#end);
    else Buffer.prototype.copy.call(from, this.#room, this.#end, start, end);
    this.#end += end - start;
  }

  /** Writes a value as JSON.stringify does. */
  value(value: SeedValue): void {
    if (value instanceof SeedString) {
      this.text('"');
      value.writeTo(this);
      this.text('"');
    } else if (Array.isArray(value)) {
      this.text("[");
      for (const [index, item] of value.entries()) {
        if (index > 0) this.text(",");
        this.value(item ?? null);
      }
      this.text("]");
    } else if (typeof value === "object" && value !== null) {
      let before = "{";
      for (const key in value) {
        if (value[key] === undefined) continue;
        this.text(`${before}"${key}":`);
        before = ",";
        this.value(value[key]);
      }
      this.text(before === "{" ? "{}" : "}");
    } else this.text(JSON.stringify(value));
  }

  #flush(): void {
    if (this.#text === "") return;
    this.#makeRoom(this.#text.length * 3);
    this.#end += this.#room.write(this.#text, this.#end);
    this.#text = "";
  }

  #makeRoom(more: number): void {
    if (this.#end + more <= this.#room.length) return;
    const room = Buffer.allocUnsafe(Math.max(this.#room.length * 2, this.#end + more));
    this.#room.copy(room, 0, 0, this.#end);
    this.#room = room;
  }
}

/** The value with plain strings. */
export function plainOf(value: SeedValue): unknown {
  return JSON.parse(JSON.stringify(value, (_key, inner) => (inner instanceof SeedString ? inner.text : inner)));
}
