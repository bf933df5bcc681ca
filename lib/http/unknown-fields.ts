import type { z } from "zod";
import { ApiError, type FieldError } from "#lib/contract/error.ts";
import { fieldErrorsMax } from "./field-errors.ts";

/**
 * Throws a 400 that lists the first {@link fieldErrorsMax} unknown fields of the body: a misspelt one would be silently lost.
 * `ignored` are fields the reference service knows; `entries.seq` is the field `seq` of each of the `entries`.
 */
export function refuseUnknownFields(schema: z.core.$ZodType, body: unknown, ignored: readonly string[]): void {
  const fields: FieldError[] = [];
  for (const field of findUnknown(schema, body, [], ignored)) {
    fields.push(field);
    if (fields.length === fieldErrorsMax) break;
  }
  const [first] = fields;
  if (first === undefined) return;
  throw new ApiError("invalid_parameters", `${first.loc.slice(1).join(".")}: ${first.msg}`, { fields });
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
        yield { loc: ["body", ...path, name], msg, type: "unrecognized_keys" };
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
