import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { Instant } from "#lib/contract/text.ts";
import { buildOpenapi } from "./openapi.ts";
import { examplesOf, sampleOf } from "./openapi-samples.ts";

const { paths } = JSON.parse(JSON.stringify(buildOpenapi()));

type Content = Record<string, { example?: unknown }>;
type Described = {
  operationId: string;
  requestBody?: { content: Content };
  responses: Record<string, { content?: Content }>;
};

test("sample requests and responses contain values, never the name of a field", () => {
  const bad: string[] = [];
  let count = 0;
  const look = (value: unknown, name: string, place: string): void => {
    if (typeof value === "string" || typeof value === "number") count += 1;
    if (value === name || value === "text") bad.push(`${place}: give ${name} an example in its schema`);
    if (typeof value !== "object" || value === null) return;
    if (Array.isArray(value)) for (const item of value) look(item, name, place);
    else for (const [key, inner] of Object.entries(value)) look(inner, key, `${place}.${key}`);
  };
  for (const { operationId, requestBody, responses } of operations()) {
    for (const content of [requestBody?.content, responses["200"]?.content]) {
      for (const { example } of Object.values(content ?? {})) look(example, "", operationId);
    }
  }
  assert.ok(count > 1_000, `${count} values were found`);
  assert.deepEqual(bad, []);
});

test("times of a sample run are in order, and its sums are correct", () => {
  const { getRun } = Object.fromEntries(operations().map((operation) => [operation.operationId, operation]));
  const run = Object(getRun?.responses["200"]?.content?.["application/json"]?.example);
  assert.ok(run.created_at < run.started_at && run.started_at < run.finished_at);
  assert.equal(run.tokens.total, run.tokens.input + run.tokens.output);
  assert.equal(run.summary, run.result.split("\n")[0]);
});

test("a sample has the examples of fields and objects, and plain values elsewhere", () => {
  const Inner = z.object({ seq: z.int().min(4), name: z.string().meta({ example: "a" }), at: Instant });
  const Outer = z.object({
    inner: Inner,
    maybe: Inner.nullable().meta({ example: { name: "b" } }),
    none: Inner.nullable().meta({ example: null }),
    list: z.array(Inner),
    empty: z.array(Inner).meta({ example: [] }),
    text: z.string().nullable(),
    flag: z.boolean().nullable(),
    kind: z.enum(["first", "second"]),
    absent: z.string().optional(),
    given: z.int().optional().meta({ example: 0 }),
  });
  z.globalRegistry.add(Outer, { example: { inner: { seq: 7 }, kind: "second" } });
  const at = "2026-01-31T09:00:00.000Z";
  assert.deepEqual(sampleOf(Outer, "output"), {
    inner: { seq: 7, name: "a", at },
    maybe: { seq: 4, name: "b", at },
    none: null,
    list: [{ seq: 4, name: "a", at }],
    empty: [],
    text: null,
    flag: true,
    kind: "second",
    given: 0,
  });
  assert.equal(Object(sampleOf(Outer.extend({}), "output")).kind, "first");
});

test("a sample of a body leaves out what has a default, and a named type inside it has its own examples", () => {
  const Named = z.object({ name: z.string() });
  z.globalRegistry.add(Named, { id: "SampleOfATest", example: { name: "n" } });
  const Body = z.object({ named: Named.describe("Again"), days: z.int().default(7) });
  assert.deepEqual(sampleOf(Body, "input"), { named: { name: "n" } });
  assert.deepEqual(sampleOf(Body, "output"), { named: { name: "n" }, days: 1 });
});

test("parameters have the examples of their fields and of their object", () => {
  const Query = z.object({ q: z.string().meta({ example: "needle" }), skip: z.int(), limit: z.int() });
  z.globalRegistry.add(Query, { example: { limit: 20 } });
  assert.deepEqual(examplesOf(Query), { q: "needle", limit: 20 });
});

function operations(): Described[] {
  return Object.values(paths).flatMap((item) => Object.values(Object(item)) as Described[]);
}
