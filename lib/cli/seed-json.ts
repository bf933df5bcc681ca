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

/** Stands for a seeded string in JSON; no other string of a seed holds it. */
const mark = "\u0001";
const markJson = JSON.stringify(mark).slice(1, -1);

/** The value as JSON in UTF-8, in pieces. */
export function jsonOf(value: SeedValue): Uint8Array[] {
  const strings: SeedString[] = [];
  const frame = JSON.stringify(value, (_key, inner) => {
    if (!(inner instanceof SeedString)) return inner;
    strings.push(inner);
    return mark;
  });
  return frame.split(markJson).flatMap((between, index) => [Buffer.from(between), ...(strings[index]?.json ?? [])]);
}

/** The value with plain strings. */
export function plainOf(value: SeedValue): unknown {
  return JSON.parse(JSON.stringify(value, (_key, inner) => (inner instanceof SeedString ? inner.text : inner)));
}
