import { z } from "zod";
import { fieldsOf } from "./json-fields.ts";

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

/** Control, invisible and direction characters, which can make one name look like another. */
export const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;
/** Joiners and variation selectors that a script or an emoji needs: after a letter, a mark, a digit or a symbol. */
const joiners = /(?<=[\p{L}\p{M}\p{N}\p{S}])(?:\u200C|\u200D|\uFE0E|\uFE0F)/gu;

/** {@link FilledText} on one line, without control, invisible or direction characters. */
export function NameText(charactersMax: number) {
  return FilledText(charactersMax).refine(
    (text) => !unseen.test(text.replace(joiners, "")),
    "must not contain control, invisible or direction characters",
  );
}

/** An instant as the API writes it: ISO 8601 in UTC with milliseconds. */
export const Instant = z
  .string()
  .meta({ format: "date-time", description: "ISO 8601, UTC, milliseconds: 2026-01-31T23:59:59.000Z" });

export type JsonObject = Record<string, unknown>;

/** Any JSON object, as parsed: a record would lose the key `__proto__`. */
export const JsonObject = z
  .custom<JsonObject>((value) => fieldsOf(value) === value, "must be a JSON object")
  .meta({ type: "object", additionalProperties: {} });

/** Depth at which JSON from outside is refused (/docs, "Errors"). */
export const jsonDepthMax = 64;
