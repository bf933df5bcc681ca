import type { AnyOperation } from "#lib/contract/operation.ts";
import type { Asked } from "./api-under-test.ts";
import type { Dice } from "./dice.fixture.ts";
import type { Prepared } from "./good-requests.fixture.ts";
import { partsOf } from "./operation-path.fixture.ts";

/** The subset of JSON Schema the document uses. */
export type Schema = {
  $ref?: string;
  type?: string | string[];
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  enum?: unknown[];
  const?: unknown;
  format?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  maxItems?: number;
};
export type Described = {
  parameters: { name: string; in: string; required: boolean; schema: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
};
export type Schemas = Record<string, Schema>;

const deep = (levels: number) => "[".repeat(levels) + "]".repeat(levels);

/** Values that programs stumble over. */
const hostile: readonly [unknown, ...unknown[]] = [
  "",
  " ",
  "a\u0000b",
  "\ud800",
  "x\udfff",
  "\u202e\u200b\ufeff",
  "👩‍👩‍👧‍👦 ﷽",
  "x".repeat(70_000),
  "__proto__",
  "constructor",
  "../../etc/passwd",
  "'; drop table runs; --",
  "<script>alert(1)</script>",
  "%00%zz",
  "NaN",
  "1e400",
  0,
  -1,
  1.5,
  2 ** 31,
  2 ** 53,
  2 ** 53 + 2,
  1e21,
  1e308,
  -(2 ** 63),
  null,
  true,
  false,
  [],
  {},
  [[]],
  [null],
  { a: { b: [1, "x", null] } },
  JSON.parse('{"__proto__":{"x":1},"constructor":{"prototype":1}}'),
  JSON.parse(deep(60)),
];

/** Bodies that are not JSON, or that nobody would send. */
const rawBodies: readonly [string | Uint8Array, ...(string | Uint8Array)[]] = [
  "",
  "{",
  "null",
  "[]",
  '"x"',
  "1e999",
  "{}{}",
  '{"a":1,}',
  '{"prompt":"a","prompt":1}',
  '{"__proto__":null}',
  "\ufeff{}",
  '{"x":"\\ud800"}',
  deep(65),
  deep(20_000),
  `{"x":${deep(5_000)}}`,
  new Uint8Array([0xff, 0xfe, 0x00]),
  new Uint8Array([0x7b, 0x22, 0xc3, 0x28, 0x22, 0x3a, 0x31, 0x7d]),
  "a=1&b=2",
];

const contentTypes: readonly [string, ...string[]] = [
  "text/plain",
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=x",
  "application/json; charset=latin1",
  "application/json; charset=utf-8",
  "application/vnd.api+json",
  "application/x-protobuf",
  "json",
  "APPLICATION/JSON",
];

const oddQueries: readonly [string, ...string[]] = [
  "&&==&",
  "%zz=%ff",
  "limit[]=1",
  "limit=%31",
  "limit=+1",
  "limit=1&limit=2&limit=x",
  "skip=0x10",
  "__proto__=1&constructor=2",
  "q=%ed%a0%80",
  "q=%00",
  "page=1&skip=1",
  "=x",
];

const nearlyIds: readonly [string, ...string[]] = [
  "0",
  "-1",
  "1.5",
  "01",
  "999999",
  "134217728",
  "9007199254740993",
  "1e3",
  "x",
  "%00",
  "%ff",
  "%F0%9F%92%A9",
  "a%2fb",
  "__proto__",
  "%20",
];

/** A request based on the document: valid, nearly valid, or hostile. */
export class FuzzedRequests {
  readonly #dice: Dice;
  readonly #schemas: Schemas;

  constructor(dice: Dice, schemas: Schemas) {
    this.#dice = dice;
    this.#schemas = schemas;
  }

  /** `good` is a request that succeeds, or did. */
  make(operation: AnyOperation, described: Described, good: Prepared): { path: string; asked: Asked } {
    const dice = this.#dice;
    const { params, query } = partsOf(operation, good.path);
    const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      const given = params[name] ?? "1";
      return dice.chance(name === "org_id" ? 0.03 : 0.12) ? dice.pick(nearlyIds) : given;
    });
    const asked: Asked = { headers: { ...good.asked?.headers, ...this.#headers() } };
    const [content] = Object.values(described.requestBody?.content ?? {});
    if (content !== undefined) this.#addBody(asked, content.schema, good.asked?.body);
    return { path: path + this.#query(described, query), asked };
  }

  #query(described: Described, given: string): string {
    const dice = this.#dice;
    if (dice.chance(0.2)) return given;
    if (dice.chance(0.1)) return `?${dice.pick(oddQueries)}`;
    const parts = described.parameters
      .filter((parameter) => parameter.in === "query" && dice.chance(parameter.required ? 0.9 : 0.25))
      .map(({ name, schema }) => {
        const value = dice.chance(0.6)
          ? this.#valid(schema)
          : dice.chance(0.6)
            ? this.#nearly(schema)
            : dice.pick(hostile);
        const text = typeof value === "object" ? JSON.stringify(value) : String(value);
        return `${name}=${encodeURIComponent(text.toWellFormed().slice(0, 5000))}`;
      });
    if (dice.chance(0.05)) parts.push(...parts);
    return parts.length === 0 ? "" : `?${parts.join("&")}`;
  }

  #headers(): Record<string, string> {
    const dice = this.#dice;
    const headers: Record<string, string> = {};
    if (dice.chance(0.1)) headers["idempotency-key"] = dice.pick(["one", "two", "x".repeat(255), "x".repeat(256), "é"]);
    if (dice.chance(0.1)) headers["if-none-match"] = dice.pick(["*", 'W/"x"', '"', ",,,"]);
    if (dice.chance(0.05)) headers["if-match"] = dice.pick(["*", '"0"', "x"]);
    if (dice.chance(0.05)) headers["x-request-id"] = dice.pick(["mine", "x".repeat(500), "a b", "<>"]);
    if (dice.chance(0.05)) headers.accept = dice.pick(["text/html", "*/*;q=0", ";;", "application/xml"]);
    if (dice.chance(0.03)) headers["last-event-id"] = dice.pick(["1", "-1", "x", "99999999999999999999"]);
    return headers;
  }

  #addBody(asked: Asked, schema: Schema, given: unknown): void {
    const dice = this.#dice;
    const kind = dice.next();
    if (kind < 0.1) asked.body = dice.pick(rawBodies);
    else if (kind < 0.15) asked.body = JSON.stringify(dice.pick(hostile)) ?? "";
    else {
      const base = given !== undefined && dice.chance(0.6) ? structuredClone(given) : this.#valid(schema);
      asked.body = JSON.stringify(dice.chance(0.5) ? this.#bent(base, schema) : base) ?? "";
    }
    const type = dice.chance(0.06) ? dice.pick(contentTypes) : "application/json";
    asked.headers = { ...asked.headers, "content-type": type };
    if (dice.chance(0.02)) asked.headers["content-encoding"] = dice.pick(["gzip", "br", "identity", "x"]);
  }

  /** A body with one change: a field replaced, left out, or unknown. */
  #bent(value: unknown, schema: Schema): unknown {
    const dice = this.#dice;
    if (typeof value !== "object" || value === null) return dice.pick(hostile);
    const fields = Object.assign((Array.isArray(value) ? [] : {}) as Record<string, unknown>, value);
    const known = Object.entries(this.#resolved(schema).properties ?? {});
    const [name, part] = known[dice.below(known.length)] ?? ["x", {}];
    const kind = dice.next();
    if (kind < 0.15) fields.unknown_field = dice.pick(hostile);
    else if (kind < 0.3) delete fields[name];
    else if (kind < 0.5 && typeof fields[name] === "object") fields[name] = this.#bent(fields[name], part);
    else fields[name] = dice.chance(0.5) ? this.#nearly(part) : dice.pick(hostile);
    return fields;
  }

  /** A value that satisfies the schema, as far as it says. */
  #valid(given: Schema, depth = 0): unknown {
    const dice = this.#dice;
    const schema = this.#resolved(given);
    if (schema.const !== undefined) return schema.const;
    if (schema.enum !== undefined) return schema.enum[dice.below(schema.enum.length)];
    if (schema.anyOf !== undefined) return this.#valid(schema.anyOf[dice.below(schema.anyOf.length)] ?? {}, depth);
    switch (Array.isArray(schema.type) ? schema.type[dice.below(schema.type.length)] : schema.type) {
      case "object":
        return this.#validObject(schema, depth);
      case "array":
        return Array.from({ length: dice.below(Math.min(4, (schema.maxItems ?? 3) + 1)) }, () =>
          depth > 6 ? null : this.#valid(schema.items ?? {}, depth + 1),
        );
      case "integer":
      case "number":
        return this.#validNumber(schema);
      case "boolean":
        return dice.chance(0.5);
      case "string":
        return this.#validText(schema);
      default:
        return null;
    }
  }

  #validObject({ properties = {}, required = [] }: Schema, depth: number): unknown {
    const fields = Object.entries(properties).filter(([name]) => required.includes(name) || this.#dice.chance(0.4));
    return Object.fromEntries(fields.map(([name, part]) => [name, this.#valid(part, depth + 1)]));
  }

  #validNumber({ minimum = 0, maximum = 2 ** 31 }: Schema): number {
    const dice = this.#dice;
    if (dice.chance(0.2)) return dice.chance(0.5) ? minimum : maximum;
    return minimum + dice.below(Math.min(maximum - minimum + 1, 50));
  }

  #validText({ format, minLength = 0, maxLength = 100 }: Schema): string {
    const dice = this.#dice;
    if (format === "date-time") return dice.pick(["2026-01-31T23:59:59.000Z", "2026-01-01T00:00:00+14:00"]);
    if (dice.chance(0.1)) return "é".repeat(Math.max(minLength, Math.min(maxLength, 300)));
    const text = dice.pick([
      "thought",
      "Look around",
      "main",
      "1",
      "running",
      "ACTION",
      "claude",
      "a b",
      "Grün 🌳",
      "steps",
    ]);
    return text.padEnd(minLength, "x").slice(0, maxLength);
  }

  /** A value just outside the schema, or of another type. */
  #nearly(given: Schema): unknown {
    const dice = this.#dice;
    const schema = this.#resolved(given);
    if (schema.anyOf !== undefined) return this.#nearly(schema.anyOf[dice.below(schema.anyOf.length)] ?? {});
    if (schema.maximum !== undefined && dice.chance(0.4)) return schema.maximum + 1;
    if (schema.minimum !== undefined && dice.chance(0.4)) return schema.minimum - 1;
    if (schema.maxLength !== undefined && schema.maxLength < 100_000 && dice.chance(0.4)) {
      return "x".repeat(schema.maxLength + 1);
    }
    if (schema.items !== undefined && dice.chance(0.5)) return [this.#nearly(schema.items)];
    const valid = this.#valid(schema);
    return dice.pick<unknown>([String(valid), [valid], { valid }, null, `${String(valid)} `, Number(valid) || 0.5]);
  }

  #resolved(schema: Schema): Schema {
    const name = schema.$ref?.split("/").at(-1);
    return name === undefined ? schema : (this.#schemas[name] ?? {});
  }
}
