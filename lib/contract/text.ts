import { z } from "zod";

/**
 * Text that every store and every agent accepts: well-formed Unicode without NUL (PostgreSQL and process arguments cannot hold
 * it), at most `charactersMax` UTF-16 units.
 */
export function Text(charactersMax: number) {
  return z
    .string()
    .max(charactersMax, `must have at most ${charactersMax} characters`)
    .refine((text) => !text.includes("\u0000"), "must not contain NUL characters")
    .refine((text) => text.isWellFormed(), "must be well-formed Unicode (it has a lone surrogate)");
}

/** Non-blank {@link Text}: at least one character that is not white space. */
export function FilledText(charactersMax: number) {
  return Text(charactersMax).refine((text) => text.trim() !== "", "must not be empty");
}

/** An instant as the API writes it: ISO 8601 in UTC with milliseconds. */
export const Instant = z
  .string()
  .meta({ format: "date-time", description: "ISO 8601, UTC, milliseconds: 2026-01-31T23:59:59.000Z" });

export type JsonObject = Record<string, unknown>;

/** Any JSON object, as parsed: a record would lose the key `__proto__`. */
export const JsonObject = z
  .custom<JsonObject>(
    (value) => typeof value === "object" && value !== null && !Array.isArray(value),
    "must be a JSON object",
  )
  .meta({ type: "object", additionalProperties: {} });

/** Depth at which JSON from outside is refused (/docs, "Errors"). */
export const jsonDepthMax = 64;

/** Whether a JSON value has a whole number that a JavaScript number may not hold as it was written. */
export function hasInexactNumber(value: unknown): boolean {
  if (typeof value === "number") return Number.isInteger(value) && !Number.isSafeInteger(value);
  return typeof value === "object" && value !== null && Object.values(value).some(hasInexactNumber);
}
