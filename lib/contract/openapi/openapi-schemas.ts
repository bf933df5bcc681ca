import { z } from "zod";

type Json = Record<string, unknown>;

/**
 * A schema as JSON Schema 2020-12, which OpenAPI 3.1 accepts. Those inside it that have an `id`, and itself, are references to
 * components/schemas, and added to `named`.
 */
export function toSchema(schema: z.core.$ZodType, io: "input" | "output", named: Record<string, Json>): Json {
  const written = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    override: ({ zodSchema, jsonSchema }) => {
      if (isFlag(zodSchema)) {
        for (const key of Object.keys(jsonSchema)) Reflect.deleteProperty(jsonSchema, key);
        jsonSchema.type = "boolean";
      }
      tidy(jsonSchema, io);
    },
  });
  const {
    $schema,
    $defs = {},
    ...rest
  } = JSON.parse(JSON.stringify(written).replaceAll('"#/$defs/', '"#/components/schemas/'));
  Object.assign(named, $defs);
  return rest;
}

/** Names for response schemas that have none, after the first operation that returns each. */
const responseNames = new WeakMap<z.ZodType, string>();

/** The schema of a response: a reference, so that it is described once and generators have a name for it. */
export function toResponseSchema({ id, result }: { id: string; result: z.ZodType }, named: Record<string, Json>): Json {
  const schema = toSchema(result, "output", named);
  if (schema.type !== "object") return schema;
  const name = responseNames.get(result) ?? `${id.charAt(0).toUpperCase()}${id.slice(1)}Response`;
  responseNames.set(result, name);
  named[name] = schema;
  return { $ref: `#/components/schemas/${name}` };
}

/**
 * Removes what is of no use to a reader. Responses may gain fields, so a client must not refuse unknown ones; requests may have no
 * others.
 */
function tidy(schema: z.core.JSONSchema.BaseSchema, io: "input" | "output"): void {
  delete schema.example;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.format === "date-time") delete schema.pattern;
  // As JavaScript writes it; some generators put it between slashes again.
  if (typeof schema.pattern === "string") schema.pattern = schema.pattern.replaceAll("\\/", "/");
  if (io === "output" && schema.additionalProperties === false) delete schema.additionalProperties;
  if (io === "input" && schema.properties !== undefined) schema.additionalProperties ??= false;
}

/** Text parsed as a boolean, as in queries: a client sends a boolean, which is written as text. */
function isFlag(schema: z.core.$ZodType): boolean {
  const { type, in: from, out } = schema._zod.def as { type: string; in?: z.core.$ZodType; out?: z.core.$ZodType };
  return type === "pipe" && from?._zod.def.type === "string" && out?._zod.def.type === "boolean";
}
