import assert from "node:assert/strict";
import { test } from "node:test";
import { buildOpenapi } from "./openapi.ts";
import { operations } from "./operations.ts";

const document = JSON.parse(JSON.stringify(buildOpenapi()));

test("every reference leads somewhere", () => {
  const references: string[] = [];
  walk(document, (key, value) => {
    if (key === "$ref") references.push(String(value));
  });
  assert.ok(references.length > 50);
  for (const reference of references) {
    assert.match(reference, /^#\/components\/(?:schemas|responses)\//);
    const target = reference
      .slice(2)
      .split("/")
      .reduce((node, part) => node?.[part], document);
    assert.equal(typeof target, "object", reference);
  }
});

test("every operation and alias is described once, under an id of its own", () => {
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

test("every operation tells its success and its refusals, and who may call it", () => {
  const schemes = Object.keys(document.components.securitySchemes);
  for (const { operation } of operationsOf(document)) {
    assert.ok("200" in operation.responses && "400" in operation.responses, operation.operationId);
    for (const requirement of operation.security) {
      for (const scheme of Object.keys(requirement)) assert.ok(schemes.includes(scheme));
    }
    if (operation.security.length > 0) assert.ok("401" in operation.responses && "403" in operation.responses);
    if (operation.requestBody !== undefined) assert.ok("413" in operation.responses && "415" in operation.responses);
  }
});

test("the document has the parts that OpenAPI 3.1 asks for, and schemas have types that JSON Schema knows", () => {
  assert.match(document.openapi, /^3\.1\.\d$/);
  assert.ok(document.info.title !== "" && document.info.version !== "");
  const types = ["string", "integer", "number", "boolean", "array", "object", "null"];
  walk(document.components.schemas, (key, value, parent) => {
    if (key !== "type" || "type" in (parent.properties ?? {}) || typeof value === "object") return;
    assert.ok(types.includes(String(value)), String(value));
  });
  assert.equal(document.components.schemas.CreateRun.required.join(), "prompt");
});

type Described = {
  operationId: string;
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
