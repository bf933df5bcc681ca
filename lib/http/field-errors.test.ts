import assert from "node:assert/strict";
import { test } from "node:test";
import type { z } from "zod";
import { ApiError } from "#lib/contract/error.ts";
import { CreateRun } from "#lib/contract/runs/run.ts";
import { ListRunsQuery } from "#lib/contract/runs/run-list.ts";
import { LogsQuery } from "#lib/contract/runs/run-operations.ts";
import { parseInput, type Source } from "./field-errors.ts";

function detail(schema: z.ZodType, input: unknown, source: Source): string {
  try {
    parseInput(schema, input, source);
  } catch (error) {
    if (error instanceof ApiError) return error.message;
    throw error;
  }
  return "valid";
}

test("every refusal names the field and its bound in words", () => {
  const body = (input: unknown) => detail(CreateRun, input, "body");
  assert.equal(body({}), "prompt: is required");
  assert.equal(body({ prompt: " \n" }), "prompt: must not be empty");
  assert.equal(body({ prompt: "a\u0000b" }), "prompt: must not contain NUL characters");
  assert.equal(body({ prompt: "\ud800" }), "prompt: must be well-formed Unicode (it has a lone surrogate)");
  assert.equal(body({ prompt: "a".repeat(300_000) }), "prompt: must have at most 262144 characters");
  assert.equal(body({ prompt: 1 }), "prompt: must be text");
  assert.equal(body({ prompt: "a", repo_id: 0 }), "repo_id: must be at least 1");
  assert.equal(body({ prompt: "a", repo_id: 1.5 }), "repo_id: must be a whole number");
  assert.equal(body({ prompt: "a", metadata: [] }), "metadata: must be a JSON object");
  assert.equal(body({ prompt: "a", permission_mode: "all" }), "permission_mode: must be one of auto, read-only, ask");
  assert.match(body({ prompt: "a", images: ["x"] }), /^images\.0: must be a data URL/);
  assert.equal(body({ prompt: "a", webhooks: [{}] }), "webhooks.0.url: is required");
  assert.equal(body(null), "body: must be a JSON object");
  assert.equal(body(undefined), "body: is required");
  const query = (input: unknown) => detail(ListRunsQuery, input, "query");
  assert.equal(query({ limit: "0" }), "limit: must be at least 1");
  assert.equal(query({ limit: "101" }), "limit: must be at most 100");
  assert.equal(query({ limit: "0x10" }), "limit: must be a whole number");
  assert.equal(query({ created_after: "now" }), "created_after: must be a date and time such as 2026-01-31T23:59:59Z");
  assert.match(query({ status: "done" }), /^status: must be among queued, running/);
  assert.match(query({ source_type: "MAIL" }), /^source_type: must be one of LOCAL, SLACK/);
  assert.match(detail(LogsQuery, { reverse: "x" }, "query"), /^reverse: must be one of/);
});

test("keys that objects inherit change nothing", () => {
  const input = JSON.parse(
    '{"prompt":"a","__proto__":{"prompt":"b"},"constructor":1,"metadata":{"__proto__":{"x":1}}}',
  );
  const parsed = parseInput(CreateRun, input, "body");
  assert.equal(parsed.prompt, "a");
  assert.equal(({} as { x?: number }).x, undefined);
});
