import { z } from "zod";

/** A whole number in a path or query: decimal digits only, so that "", "1e3" and "0x10" are refused instead of guessed at. */
export function WholeNumber(min: number, max: number) {
  return z.preprocess(
    (value) => (typeof value === "string" ? (/^-?\d{1,16}$/.test(value) ? Number(value) : Number.NaN) : value),
    z.int().min(min).max(max),
  );
}
