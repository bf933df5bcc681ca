import assert from "node:assert/strict";
import test from "node:test";
import { buildOpenapi } from "#lib/contract/openapi/openapi.ts";
import { sampleOf } from "#lib/contract/openapi/openapi-samples.ts";
import { operations } from "#lib/contract/operations.ts";
import { rateQuotasDefault } from "#lib/contract/rate-limits.ts";
import { runLimitsDefault } from "#lib/contract/runs/run-limits.ts";
import { parseQuery, repeatableNames } from "#lib/http/parse-query.ts";
import { describeApi, operationHref } from "./api-description.ts";
import { sampleRequest } from "./request-samples.ts";

const api = describeApi(buildOpenapi());
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

/** Operations whose bodies are in another system's format. */
const foreign = new Set(["postTelemetryLogs", "postTelemetryMetrics", "postTelemetryTraces", "receiveEvent"]);

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

test("no field is an array of anything, or of nothing", () => {
  const fields = api.tags.flatMap(({ operations: members, types }) => [
    ...members.flatMap(({ result, body, queryFields }) => [...result.fields, ...(body?.fields ?? []), ...queryFields]),
    ...types.flatMap((type) => type.fields),
  ]);
  const isEmpty = (rule: string) => /^(?:at most|exactly) 0 items$/.test(rule);
  const unclear = fields.filter(({ type, rules }) => type.text.startsWith("array of any") || rules.some(isEmpty));
  assert.deepEqual(unclear, []);
});

test("every type that is named is described on the same page, and no other is", () => {
  for (const { tag, operations: members, types } of api.tags) {
    const known = new Set(types.map(({ name }) => name));
    const fields = [
      ...members.flatMap(({ result, body }) => [
        { name: "answer", type: result.type },
        ...result.fields,
        ...(body?.fields ?? []),
      ]),
      ...types.flatMap((type) => type.fields),
    ];
    const named = fields.flatMap(({ type }) => (type.link === null ? [] : [type.link]));
    assert.deepEqual(known, new Set(named), tag);
  }
  const runs = api.tags.find(({ slug }) => slug === "agent-runs")?.types.map(({ name }) => name) ?? [];
  for (const name of ["Run", "Question", "TokenUsage"]) assert.ok(runs.includes(name), name);
});

test("the contract accepts every example", () => {
  for (const { operation, body } of described) {
    if (body === null) continue;
    const parsed = operation.body.safeParse(sampleOf(operation.body, "input"));
    assert.ok(parsed.success, `${operation.id}: ${parsed.error}`);
  }
  for (const { operation } of described) {
    const { search } = new URL(sampleRequest(operation, "http://h", 1).url);
    const asked = operation.query.safeParse(parseQuery(search, repeatableNames(operation.query)));
    assert.ok(asked.success, `${operation.id}: ${asked.error}`);
  }
});

test("every operation has a sample response, its refusals, and its configured limits", () => {
  for (const { operation, result, errors } of described) {
    const sample = result.sample ?? described.find((one) => one.operation.id === result.sampleOf)?.result.sample ?? "";
    assert.ok(sample.length > 1, operation.id);
    assert.ok(errors.includes("method_not_allowed"), operation.id);
  }
  const quotas = { ...rateQuotasDefault, standard: 7, create: 3, ingest: 0 };
  const set = describeApi(buildOpenapi({ quotas, sessionFactor: 2 }));
  const limits = new Map(
    set.tags.flatMap((tag) => tag.operations.map(({ operation, limit }) => [operation.id, limit])),
  );
  assert.equal(limits.get("createRun"), "3 in 60 s, and 7 in 30 s over all requests");
  assert.equal(limits.get("getRun"), "7 in 30 s");
  assert.equal(limits.get("appendLogs"), null);
  assert.equal(limits.get("getHealth"), null);
  assert.deepEqual(set.runLimits, runLimitsDefault);
});

test("every operation has an anchor of its own on the page of its tag", () => {
  const places = described.map(({ operation }) => operationHref(operation));
  assert.equal(new Set(places).size, places.length);
  assert.equal(places[0], "/docs/reference/agent-runs#createRun");
  assert.equal(new Set(api.tags.map(({ slug }) => slug)).size, api.tags.length);
});
