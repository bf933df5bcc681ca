import assert from "node:assert/strict";
import { test } from "node:test";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { appendLogs } from "#lib/contract/logs/ingest.ts";
import { operations } from "#lib/contract/operations.ts";
import { rateQuotasDefault } from "#lib/contract/rate-limits.ts";
import { buildOpenapi } from "./openapi.ts";
import { toSchema } from "./openapi-schemas.ts";

const document = JSON.parse(JSON.stringify(buildOpenapi()));

test("every reference resolves", () => {
  const references: string[] = [];
  walk(document, (key, value) => {
    if (key === "$ref") references.push(String(value));
  });
  assert.ok(references.length > 50);
  for (const reference of references) {
    assert.match(reference, /^#\/components\/(?:schemas|responses|headers)\//);
    const target = reference
      .slice(2)
      .split("/")
      .reduce((node, part) => node?.[part], document);
    assert.equal(typeof target, "object", reference);
  }
});

test("a named type is the same wherever it is used: in bodies and responses of all operations", () => {
  const known: Record<string, object> = {};
  for (const { id, body, result } of operations) {
    const [inBody, inResult] = [{}, {}];
    toSchema(body, "input", inBody);
    toSchema(result, "output", inResult);
    for (const [name, schema] of [...Object.entries<object>(inBody), ...Object.entries<object>(inResult)]) {
      assert.deepEqual(schema, known[name] ?? schema, `${name} in ${id}`);
      known[name] = schema;
    }
  }
  assert.ok(Object.keys(known).length > 40);
  // Responses without a name of their own have that of the first operation with them; the others are those of errors and events.
  const responses = Object.keys(document.components.schemas).filter((name) => !(name in known));
  const others = ["FieldError", "Problem", "Progress", "WebhookMessage"];
  for (const name of responses.filter((name) => !others.includes(name))) {
    const id = name.replace(/Response$/, "");
    assert.ok(
      operations.some((operation) => operation.id.toLowerCase() === id.toLowerCase()),
      name,
    );
  }
  const inline = operationsOf(document).filter(({ operation }) => {
    const { schema = {} } = Object(operation.responses["200"]).content?.["application/json"] ?? {};
    return "properties" in schema;
  });
  assert.deepEqual(inline, []);
});

test("the document promises how breaking changes are announced, and how long before", () => {
  const { description } = document.info;
  for (const word of ["Deprecation", "RFC 9745", "Sunset", "RFC 8594", "180 days", "X-Errand-Stability"]) {
    assert.ok(description.includes(word), word);
  }
});

test("every operation and alias is described once, under a unique id", () => {
  const ids = operationsOf(document).map(({ operation }) => operation.operationId);
  assert.equal(new Set(ids).size, ids.length);
  assert.equal(
    ids.length,
    operations.reduce((sum, operation) => sum + 1 + operation.aliases.length, 0),
  );
});

test("the parameters of a path are declared, and only those", () => {
  for (const { path, operation } of operationsOf(document)) {
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
    const declared = operation.parameters.filter((parameter) => parameter.in === "path");
    assert.deepEqual(
      declared.map((parameter) => parameter.name),
      inPath,
      path,
    );
    for (const parameter of declared) assert.equal(parameter.required, true);
    const names = operation.parameters.map((parameter) => `${parameter.in} ${parameter.name}`);
    assert.equal(new Set(names).size, names.length);
    for (const parameter of operation.parameters) assert.equal(typeof parameter.schema, "object");
  }
});

test("every operation describes its success and its refusals, and who may call it", () => {
  const schemes = Object.keys(document.components.securitySchemes);
  for (const { path, operation } of operationsOf(document)) {
    const { operationId, parameters, requestBody, responses, security } = operation;
    const told = (...statuses: number[]) =>
      assert.ok(
        statuses.every((status) => status in responses),
        `${operationId}: ${statuses}`,
      );
    told(200, 405);
    if (parameters.some((parameter) => parameter.in === "query")) told(400);
    if (path.includes("{org_id}")) told(400, 401, 403);
    if (requestBody !== undefined) told(400, 413, 415);
    if (security.length > 0) told(401);
    for (const requirement of security) {
      for (const scheme of Object.keys(requirement)) assert.ok(schemes.includes(scheme));
    }
  }
});

test("every limited operation describes its limit, its headers and its 429", () => {
  const limited = operations.filter(({ rateClass }) => rateClass !== "none");
  for (const { path, method } of limited) {
    const operation = document.paths[path][method.toLowerCase()];
    assert.match(operation.description, /Rate limit: \d+ requests per \d+ seconds/);
    const told = Object.keys(operation.responses[200].headers);
    assert.deepEqual(told.slice(0, 3), ["X-Request-Id", "RateLimit-Policy", "RateLimit"]);
    assert.equal(operation.responses[429].$ref, "#/components/responses/rate_limited");
  }
  const refusal = document.components.responses.rate_limited;
  assert.deepEqual(Object.keys(refusal.headers), ["X-Request-Id", "RateLimit-Policy", "RateLimit", "Retry-After"]);
});

test("the rate limits are described as configured", () => {
  const settings = { quotas: { ...rateQuotasDefault, standard: 7, ingest: 0 }, sessionFactor: 3 };
  const told = JSON.parse(JSON.stringify(buildOpenapi(settings)));
  assert.equal(told["x-rate-limits"].session_factor, 3);
  assert.deepEqual(told["x-rate-limits"].classes[0], {
    class: "standard",
    limits: [{ name: "standard", quota: 7, seconds: 30 }],
  });
  assert.match(told.paths["/v1/users/me"].get.description, /Rate limit: 7 requests per 30 seconds\./);
  assert.ok(!told.paths[appendLogs.path].post.description.includes("Rate limit"));
});

test("the limits of runs are described as configured", () => {
  const settings = { queued: 5, atOnce: 3, turnSeconds: 60, questionSeconds: 30 };
  const told = JSON.parse(JSON.stringify(buildOpenapi(undefined, settings)));
  assert.deepEqual(told["x-run-limits"], { queued: 5, at_once: 3, turn_seconds: 60, question_seconds: 30 });
});

test("the document has the parts that OpenAPI 3.1 requires, and schemas have types that JSON Schema knows", () => {
  assert.match(document.openapi, /^3\.1\.\d$/);
  assert.ok(document.info.title !== "" && document.info.version !== "");
  const types = ["string", "integer", "number", "boolean", "array", "object", "null"];
  walk(document.components.schemas, (key, value, parent) => {
    if (key !== "type" || "type" in (parent.properties ?? {}) || typeof value === "object") return;
    assert.ok(types.includes(String(value)), String(value));
  });
  assert.equal(document.components.schemas.CreateRun.required.join(), "prompt");
});

test("defaults, bounds and types are described correctly", () => {
  const parameters = (path: string) =>
    Object.fromEntries(
      (document.paths[path].get.parameters as Described["parameters"]).map(({ name, schema }) => [
        name,
        Object(schema),
      ]),
    );
  const logs = parameters("/v1/organizations/{org_id}/agent/run/{agent_run_id}/logs");
  assert.deepEqual(logs.skip, { type: "integer", minimum: 0, maximum: 2 ** 27 - 1, default: 0 });
  assert.deepEqual(logs.limit, { type: "integer", minimum: 1, maximum: 100, default: 100 });
  assert.deepEqual(logs.reverse, { type: "boolean", default: false });
  const runs = parameters("/v1/organizations/{org_id}/agent/runs");
  assert.deepEqual([runs.skip.default, runs.limit.default], [0, 100]);
  assert.equal(parameters("/v1/organizations/{org_id}/search").limit.default, 20);
  const { tool_input, tool_output, observation } = document.components.schemas.LogEntry.properties;
  assert.deepEqual(
    [tool_input.type, tool_output.type],
    [
      ["object", "null"],
      ["object", "null"],
    ],
  );
  assert.deepEqual(observation.type, ["string", "object", "null"]);
  for (const { path, operation } of operationsOf(document)) {
    for (const { name, schema } of operation.parameters) assert.ok("type" in schema, `${path}: ${name}`);
  }
});

test("the headers that an operation reads are described, and the body fields that it ignores", () => {
  const takes = (header: string) =>
    operationsOf(document)
      .filter(({ operation }) =>
        operation.parameters.some(({ in: place, name }) => place === "header" && name === header),
      )
      .map(({ operation }) => operation.operationId);
  assert.deepEqual(takes("If-Match").sort(), operations.flatMap(({ id, ifMatch }) => (ifMatch ? [id] : [])).sort());
  assert.equal(takes("If-Match").length, 19);
  assert.deepEqual(takes("Last-Event-ID").sort(), ["streamLogs", "streamSharedLogs"]);
  const stop = operationsOf(document).find(({ operation }) => operation.operationId === "stopRun");
  assert.match(stop?.operation.description ?? "", /ignored.*`before_card_order_id`, `after_card_order_id`/);
});

test("every operation shows a request and a response", () => {
  for (const { operation } of operationsOf(document)) {
    const contents = [operation.requestBody, operation.responses[200]].map((part) => Object(part).content ?? {});
    for (const content of contents) {
      const json = content["application/json"];
      if (json !== undefined) assert.ok("example" in json, operation.operationId);
    }
  }
});

test("redocly's recommended rules find nothing, examples included", async () => {
  const rules = { "no-invalid-media-type-examples": "error", "no-invalid-parameter-examples": "error" } as const;
  const config = await createConfig({ extends: ["recommended"], rules });
  const source = JSON.stringify(document);
  const problems = await lintFromString({ source, absoluteRef: "openapi.json", config });
  assert.deepEqual(
    problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`),
    [],
  );
});

type Described = {
  operationId: string;
  description?: string;
  parameters: { name: string; in: string; required: boolean; schema: object }[];
  responses: Record<string, object>;
  requestBody?: object;
  security: Record<string, unknown>[];
};

function operationsOf(openapi: { paths: Record<string, Record<string, Described>> }) {
  return Object.entries(openapi.paths).flatMap(([path, item]) =>
    Object.values(item).map((operation) => ({ path, operation })),
  );
}

function walk(node: unknown, visit: (key: string, value: unknown, parent: Record<string, object>) => void): void {
  if (typeof node !== "object" || node === null) return;
  for (const [key, value] of Object.entries(node)) {
    visit(key, value, node as Record<string, object>);
    walk(value, visit);
  }
}

test("operations of further paths have names of their own, and no pattern has an escaped slash", () => {
  const { paths } = buildOpenapi() as { paths: Record<string, Record<string, { operationId: string }>> };
  const ids = Object.values(paths).flatMap((item) => Object.values(item).map(({ operationId }) => operationId));
  assert.equal(new Set(ids).size, ids.length);
  for (const id of ["resumeRunBeta", "getLogsAlpha", "listRepositoriesAlias"]) assert.ok(ids.includes(id), id);
  assert.ok(ids.every((id) => !/Alias\d/.test(id)));
  assert.doesNotMatch(JSON.stringify(buildOpenapi()), /"pattern":"[^"]*\\\\\//);
});
