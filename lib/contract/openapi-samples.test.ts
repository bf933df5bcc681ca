import assert from "node:assert/strict";
import { test } from "node:test";
import { buildOpenapi } from "./openapi.ts";

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
    if (value === name || value === "text") bad.push(`${place}: put a value of ${name} into openapi-sample-values.ts`);
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

function operations(): Described[] {
  return Object.values(paths).flatMap((item) => Object.values(Object(item)) as Described[]);
}
