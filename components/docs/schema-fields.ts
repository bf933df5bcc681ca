/** The subset of JSON Schema that the API's description uses. */
export type Schema = {
  $ref?: string;
  type?: string | string[];
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  description?: string;
  format?: string;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
};

/** A type in words. `link` names a type that is described elsewhere on the page. */
export type TypeWords = { text: string; link: string | null };

/** One field of an object, ready to be shown. */
export type Field = {
  /** With its position in the object: `tokens.input`, `options[].id`. */
  name: string;
  type: TypeWords;
  isRequired: boolean;
  /** Bounds, choices and default, each a few words. */
  rules: string[];
  description: string;
  /** Allowed values, as written in an address; empty if others are accepted too. */
  choices: string[];
};

const REFERENCE = /^#\/components\/schemas\/(\w+)$/;

/** Fields of an object and of the objects inside it, in order of declaration; none for anything else. */
export function listFields(schema: Schema, prefix = ""): Field[] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, property]) => {
    const name = prefix + key;
    const field: Field = {
      name,
      type: typeWords(property),
      isRequired: schema.required?.includes(key) ?? false,
      rules: rulesOf(property),
      description: property.description ?? "",
      choices: choicesOf(property),
    };
    return [field, ...listInner(property, name)];
  });
}

function listInner(property: Schema, name: string): Field[] {
  const { schema } = withoutNull(property);
  if (schema.items !== undefined) return listFields(withoutNull(schema.items).schema, `${name}[].`);
  return listFields(schema, `${name}.`);
}

/** Type of a value in words: `integer or null`, `array of Run`, `object`. */
export function typeWords(property: Schema): TypeWords {
  const { schema, isNullable } = withoutNull(property);
  const words = plainWords(schema);
  return isNullable ? { ...words, text: `${words.text} or null` } : words;
}

function plainWords(schema: Schema): TypeWords {
  const name = schema.$ref?.match(REFERENCE)?.[1];
  if (name !== undefined) return { text: name, link: name };
  if (schema.anyOf !== undefined) {
    const kinds = schema.anyOf.map((kind) => plainWords(kind).text);
    return { text: [...new Set(kinds)].join(" or "), link: null };
  }
  if (schema.items !== undefined) {
    const { text, link } = typeWords(schema.items);
    return { text: `array of ${text}`, link };
  }
  if (typeof schema.type === "string") return { text: schema.type, link: null };
  return { text: schema.const === undefined ? "any" : typeof schema.const, link: null };
}

function withoutNull(schema: Schema): { schema: Schema; isNullable: boolean } {
  if (Array.isArray(schema.type)) {
    const [type, ...others] = schema.type.filter((name) => name !== "null");
    return {
      schema: { ...schema, type: others.length > 0 ? [type, ...others].join(" or ") : (type ?? "any") },
      isNullable: schema.type.includes("null"),
    };
  }
  const kinds = schema.anyOf?.filter((kind) => kind.type !== "null");
  const [only] = kinds ?? [];
  if (kinds === undefined || only === undefined) return { schema, isNullable: false };
  const isNullable = kinds.length < (schema.anyOf?.length ?? 0);
  return { schema: kinds.length === 1 ? only : { ...schema, anyOf: kinds }, isNullable };
}

function choicesOf(property: Schema): string[] {
  const { schema } = withoutNull(property);
  return schema.type === "boolean" ? ["true", "false"] : (schema.enum ?? []).map(String);
}

function rulesOf(property: Schema): string[] {
  const { schema } = withoutNull(property);
  const rules = [
    schema.enum?.map(String).join(" | "),
    schema.const !== undefined && `always ${JSON.stringify(schema.const)}`,
    range(schema.minimum, schema.maximum, ""),
    range(schema.minLength, schema.maxLength, " characters"),
    range(schema.minItems, schema.maxItems, " items"),
    schema.format === "date-time" && !property.description?.includes("ISO 8601") && "ISO 8601 with offset",
    property.default !== undefined && `default ${JSON.stringify(property.default)}`,
    schema.items !== undefined &&
      rulesOf(schema.items)
        .map((rule) => `each ${rule}`)
        .join(", "),
  ];
  return rules.filter((rule) => typeof rule === "string" && rule !== "").map(String);
}

function range(min: number | undefined, max: number | undefined, unit: string): string | false {
  const shown = (amount: number) => amount.toLocaleString("en-US");
  if (min !== undefined && max !== undefined)
    return min === max ? `exactly ${shown(min)}${unit}` : `${shown(min)} to ${shown(max)}${unit}`;
  if (min !== undefined) return `at least ${shown(min)}${unit}`;
  if (max !== undefined) return `at most ${shown(max)}${unit}`;
  return false;
}
