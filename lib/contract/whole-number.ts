import { z } from "zod";

/**
 * A whole number in a path or query: decimal digits only, so that "", "1e3" and "0x10" are refused instead of guessed at. A
 * number out of bounds gets the bound as its message, however many digits it has.
 */
export function WholeNumber(min: number, max: number) {
  const read = (text: string) => {
    if (!/^-?\d+$/.test(text)) return Number.NaN;
    const number = Number(text);
    // Beyond 2^53 a number does not count as an integer, and the message would name that bound instead of ours.
    return number > max ? max + 1 : number < min ? min - 1 : number;
  };
  return z.preprocess((value) => (typeof value === "string" ? read(value) : value), z.int().min(min).max(max));
}
