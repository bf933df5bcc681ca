import assert from "node:assert/strict";
import test from "node:test";
import { exampleBodies } from "#lib/contract/openapi-examples.ts";
import { operations } from "#lib/contract/operations.ts";
import { describeApi } from "./api-description.ts";
import { exampleRequest } from "./example-request.ts";

const api = describeApi();
const described = api.tags.flatMap((group) => group.operations);

test("every operation is described, with every parameter of its path", () => {
  assert.deepEqual(
    described.map(({ operation }) => operation.id).toSorted(),
    operations.map(({ id }) => id).toSorted(),
  );
  for (const { operation, pathFields } of described) {
    const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    assert.deepEqual(
      pathFields.map(({ name }) => name),
      names,
      operation.id,
    );
  }
});

/** Bodies of other systems, in their own form. */
const foreign = new Set(["postTelemetryLogs", "postTelemetryMetrics", "receiveEvent"]);

test("every query parameter and every field of a body is described", () => {
  for (const { operation, queryFields, body } of described) {
    assert.deepEqual(
      queryFields.map(({ name }) => name),
      Object.keys(operation.query.shape),
      operation.id,
    );
    assert.equal(body !== null, operation.body.def.type !== "undefined", operation.id);
    if (body !== null) assert.ok(body.fields.length > 0 || foreign.has(operation.id), operation.id);
  }
});

test("every type that is named is described", () => {
  const known = new Set(api.types.map(({ name }) => name));
  const fields = [
    ...described.flatMap(({ result, body }) => [...result.fields, ...(body?.fields ?? [])]),
    ...api.types.flatMap((type) => type.fields),
  ];
  for (const { name, type } of fields) if (type.link !== null) assert.ok(known.has(type.link), `${name}: ${type.link}`);
});

test("every example is one that the contract accepts", () => {
  for (const { operation, body } of described) {
    if (body === null) continue;
    const parsed = operation.body.safeParse(exampleBodies[operation.id]);
    assert.ok(parsed.success, `${operation.id}: ${parsed.error}`);
  }
});

test("an example calls the operation as it is to be called", () => {
  const stream = operations.find(({ id }) => id === "streamLogs");
  assert.ok(stream);
  assert.equal(
    exampleRequest("http://h", stream),
    `curl -N 'http://h/v1/organizations/1/agent/run/1/logs/stream?after=0' \\\n  -H "Authorization: Bearer $ERRAND_TOKEN"`,
  );
});
