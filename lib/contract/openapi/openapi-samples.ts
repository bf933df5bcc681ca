import { z } from "zod";

type Json = Record<string, unknown>;

/** Time in samples where nothing more specific is known. */
const sampleInstant = "2026-01-31T09:00:00.000Z";
/** Stands for a text without an example. */
const noText = "text";

/**
 * A value that fits a schema, for the documentation. It is the `example` in the schema's metadata. Without one, an object has its
 * required fields and those with an example, a list has one item, a text that may be null is null, and any other value is the
 * first, the smallest, or true. An object's own example may give only some of its fields. A text without an example fails a test.
 */
export function sampleOf(schema: z.core.$ZodType, io: "input" | "output"): unknown {
  const written = z.toJSONSchema(schema, { io, unrepresentable: "any" }) as Json;
  return sampleAt(written, (written.$defs ?? {}) as Record<string, Json>);
}

function sampleAt(schema: Json, named: Record<string, Json>): unknown {
  const { $ref, anyOf, ...own } = schema;
  if (typeof $ref === "string") return sampleAt({ ...named[$ref.slice("#/$defs/".length)], ...own }, named);
  if (Array.isArray(anyOf)) {
    const value = sampleAt({ ...anyOf.find(({ type }) => type !== "null"), ...own }, named);
    return value === noText && anyOf.some(({ type }) => type === "null") ? null : value;
  }
  const { properties, items, example, minimum } = schema;
  if (properties !== undefined && (example === undefined || Object(example) === example)) {
    return sampleOfObject(schema, named);
  }
  if (example !== undefined) return example;
  if (schema.const !== undefined) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  const types = [schema.type].flat();
  if (types.includes("array")) return [sampleAt((items ?? {}) as Json, named)];
  if (schema.format === "date-time") return sampleInstant;
  if (types.includes("string")) return types.includes("null") ? null : noText;
  if (types.includes("boolean")) return true;
  if (!types.includes("integer") && !types.includes("number")) return null;
  return minimum === undefined || minimum === Number.MIN_SAFE_INTEGER ? 1 : minimum;
}

function sampleOfObject({ properties, required, example }: Json, named: Record<string, Json>): Json {
  const sample: Json = {};
  for (const [key, property] of Object.entries(Object(properties) as Record<string, Json>)) {
    const field = key in Object(example) ? { ...property, example: Object(example)[key] } : property;
    if (field.example === undefined && !(Array.isArray(required) && required.includes(key))) continue;
    sample[key] = sampleAt(field, named);
  }
  return sample;
}

/** Examples of parameters, by name. */
export function examplesOf(parameters: z.ZodObject): Json {
  const own = Object.entries(parameters.shape).map(([name, schema]) => [name, z.globalRegistry.get(schema)?.example]);
  return {
    ...Object.fromEntries(own.filter(([, example]) => example !== undefined)),
    ...Object(parameters.meta()?.example),
  };
}
