import { sampleInstant, sampleValues } from "./openapi-sample-values.ts";

type Json = Record<string, unknown>;

/** Position of a sample: its schema or operation, the enclosing field, and its own field. */
type Place = { scope: string; around: string; name: string };

/**
 * A value that fits a schema, for the documentation; `schemas` are those under components/schemas, `scope` is the operation
 * that returns it. Optional fields are left out.
 */
export function sampleOf(schema: Json, schemas: Record<string, Json>, scope: string): unknown {
  return sampleAt(schema, schemas, { scope, around: "", name: "" });
}

function sampleAt(schema: Json, schemas: Record<string, Json>, place: Place): unknown {
  if (typeof schema.$ref === "string") {
    const scope = schema.$ref.split("/").at(-1) ?? "";
    const known = knownValue(place, schemas[scope] ?? {});
    return known === undefined ? sampleAt(schemas[scope] ?? {}, schemas, { ...place, scope }) : known;
  }
  if (schema.const !== undefined) return schema.const;
  const known = knownValue(place, schema);
  if (known !== undefined) return known;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  if (Array.isArray(schema.anyOf)) {
    const kinds = schema.anyOf as Json[];
    return sampleAt(kinds.find((kind) => kind.type !== "null") ?? {}, schemas, place);
  }
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  const inner = { scope: place.scope, around: place.name || place.around, name: "" };
  if (type === "object") return sampleOfObject(schema, schemas, inner);
  if (type === "array") return [sampleAt((schema.items ?? {}) as Json, schemas, inner)];
  if (type === "string") return schema.format === "date-time" ? sampleInstant : place.name || place.around || "text";
  if (type === "integer" || type === "number") return typeof schema.minimum === "number" ? schema.minimum : 1;
  return type === "boolean" ? true : null;
}

function sampleOfObject(schema: Json, schemas: Record<string, Json>, place: Place): Json {
  const properties = (schema.properties ?? {}) as Record<string, Json>;
  const required = Array.isArray(schema.required) ? schema.required : [];
  return Object.fromEntries(
    Object.entries(properties)
      .filter(([key]) => required.includes(key))
      .map(([key, property]) => [key, sampleAt(property, schemas, { ...place, name: key })]),
  );
}

function knownValue({ scope, around, name }: Place, schema: Json): unknown {
  const keys = name === "" ? (around === "" ? [scope] : []) : [`${around}.${name}`, `${scope}.${name}`, name];
  const key = keys.find((other) => Object.hasOwn(sampleValues, other) && mayBe(schema, sampleValues[other]));
  return key === undefined ? undefined : sampleValues[key];
}

/** Whether a schema accepts values of this kind: one of its alternatives must; one with fields is an object. */
function mayBe(schema: Json, value: unknown): boolean {
  if (Array.isArray(schema.anyOf)) return schema.anyOf.some((kind) => mayBe(kind, value));
  if (Array.isArray(schema.enum)) return schema.enum.includes(value);
  if (schema.properties !== undefined) return false;
  if (schema.type === undefined) return true;
  const kind = value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
  const kinds = [schema.type].flat();
  return kinds.includes(kind) || (kinds.includes("integer") && Number.isInteger(value));
}
