import assert from "node:assert/strict";
import { test } from "node:test";
import { Instant } from "#lib/contract/text.ts";
import { buildOpenapi } from "./openapi.ts";

const document: Node = JSON.parse(JSON.stringify(buildOpenapi()));

test("every parameter, and every field of every body and response, is described", () => {
  const missing: string[] = [];
  let count = 0;
  for (const { place, words } of described(document)) {
    count += 1;
    if (words === null) missing.push(place);
  }
  assert.ok(count > 1_000, `${count} fields were found`);
  assert.deepEqual(missing, []);
});

test("descriptions are short, and say more than the field's name", () => {
  const bad = [...described(document)].filter(({ name, words }) => {
    const plain = (text: string) => text.toLowerCase().replace(/[^a-z]/g, "");
    return words !== null && (words.length > 320 || plain(words) === plain(name));
  });
  assert.deepEqual(
    bad.map(({ place, words }) => `${place}: ${words}`),
    [],
  );
});

type Node = { [key: string]: Node };
type Described = { place: string; name: string; words: string | null };

/** All parameters and fields. An instant's own description gives only its format, not its meaning. */
function* described({ components, paths }: Node): Generator<Described> {
  for (const [name, schema] of entriesOf(components?.schemas)) yield* fieldsOf(schema, name);
  for (const [path, item] of entriesOf(paths)) {
    for (const [method, operation] of entriesOf(item)) {
      const place = `${method} ${path}`;
      for (const [, parameter] of entriesOf(operation.parameters)) {
        yield told(parameter, `${place} ${String(parameter.in)}`, String(parameter.name));
      }
      for (const [, content] of entriesOf(operation.requestBody?.content))
        yield* fieldsOf(content.schema, `${place} body`);
      for (const [status, response] of entriesOf(operation.responses)) {
        for (const [, content] of entriesOf(response.content)) yield* fieldsOf(content.schema, `${place} ${status}`);
      }
    }
  }
}

function* fieldsOf(schema: Node | undefined, place: string): Generator<Described> {
  if (typeof schema !== "object") return;
  for (const [name, field] of entriesOf(schema.properties)) {
    yield told(field, place, name);
    yield* fieldsOf(field, `${place}.${name}`);
  }
  yield* fieldsOf(schema.items, `${place}[]`);
  yield* fieldsOf(schema.additionalProperties, `${place}.*`);
  for (const list of ["anyOf", "oneOf", "allOf"]) {
    for (const [, kind] of entriesOf(schema[list])) yield* fieldsOf(kind, place);
  }
}

function told(field: Node, place: string, name: string): Described {
  const description: unknown = field.description;
  const says = typeof description === "string" && description !== "" && description !== Instant.description;
  return { place: `${place}.${name}`, name, words: says ? description : null };
}

function entriesOf(node: Node | undefined): [string, Node][] {
  return typeof node === "object" && node !== null ? Object.entries(node) : [];
}
