import type { z } from "zod";
import { ApiError, type FieldError } from "#lib/contract/error.ts";
import { cutText } from "#lib/cut-text.ts";
import { fieldErrorsMax } from "./field-errors.ts";

/** Longest name of something unknown that is repeated, in characters. */
const nameMax = 64;

/** What of a request the operation does not know: the first {@link fieldErrorsMax} parameters and fields of the body. */
export function unknownInput(
  { query, body, ignoredFields }: { query: z.ZodObject; body: z.core.$ZodType; ignoredFields: readonly string[] },
  given: { names: Iterable<string>; body: unknown },
): FieldError[] {
  const unknown: FieldError[] = [];
  const known = Object.keys(query.shape);
  for (const name of new Set(given.names)) {
    if (known.includes(name)) continue;
    const msg = `is not a known parameter; ${known.length === 0 ? "this operation takes none" : `known parameters: ${known.join(", ")}`}`;
    unknown.push({ loc: ["query", cutText(name, nameMax, "…")], msg, type: "unrecognized_keys" });
    if (unknown.length === fieldErrorsMax) return unknown;
  }
  for (const field of findUnknown(body, given.body, [], ignoredFields)) {
    unknown.push(field);
    if (unknown.length === fieldErrorsMax) break;
  }
  return unknown;
}

/** Throws a 400 that lists what is unknown, if anything is: what is misspelt would be silently lost. */
export function refuseUnknown(unknown: FieldError[]): void {
  const [first] = unknown;
  if (first === undefined) return;
  throw new ApiError("invalid_parameters", `${first.loc.slice(1).join(".")}: ${first.msg}`, { fields: unknown });
}

const namesMax = 20;
const headerMax = 2000;

/**
 * `X-Errand-Ignored`: the first 20 names of what was ignored, as a list of at most 2,000 characters; characters that a header cannot have
 * are percent-encoded.
 */
export function ignoredHeader(unknown: readonly FieldError[]): Record<string, string> {
  if (unknown.length === 0) return {};
  const names = unknown.slice(0, namesMax).map(({ loc }) => loc.slice(1).join("."));
  const encoded = names.map((name) => name.toWellFormed().replace(/[^\w.[\]-]/gu, encodeURIComponent));
  let text = "";
  for (const name of encoded.filter(Boolean)) {
    if (text.length + name.length + 2 > headerMax) break;
    text += text === "" ? name : `, ${name}`;
  }
  return text === "" ? {} : { "x-errand-ignored": text };
}

type Path = (string | number)[];

function* findUnknown(
  schema: z.core.$ZodType,
  value: unknown,
  path: Path,
  ignored: readonly string[],
): Generator<FieldError> {
  const { def } = schema._zod as { def: Definition };
  if (def.innerType !== undefined) yield* findUnknown(def.innerType, value, path, ignored);
  else if (def.element !== undefined && Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* findUnknown(def.element, item, [...path, index], ignored);
  } else if (def.shape !== undefined && typeof value === "object" && value !== null && !Array.isArray(value)) {
    for (const [name, part] of Object.entries(value)) {
      const known = Object.hasOwn(def.shape, name) ? def.shape[name] : undefined;
      if (known !== undefined) yield* findUnknown(known, part, [...path, name], ignored);
      else if (!ignored.includes([...path, name].filter((step) => typeof step === "string").join("."))) {
        const msg = `is not a known field; known fields: ${Object.keys(def.shape).join(", ")}`;
        yield { loc: ["body", ...path, cutText(name, nameMax, "…")], msg, type: "unrecognized_keys" };
      }
    }
  }
}

/** Inner schemas of a schema: of optional and nullable ones, lists, and objects. */
type Definition = {
  innerType?: z.core.$ZodType;
  element?: z.core.$ZodType;
  shape?: Record<string, z.core.$ZodType>;
};
