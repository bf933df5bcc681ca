import assert from "node:assert/strict";
import { test } from "node:test";
import { buildOpenapi } from "#lib/contract/openapi/openapi.ts";
import { describeApi } from "./api-description.ts";
import { type TryOperation, tryOperation, whyNotTried } from "./try-operation.ts";
import { answerShown, headersShown, tryRequest } from "./try-request.ts";

const described = describeApi(buildOpenapi()).tags.flatMap(({ operations }) => operations);

function formOf(id: string): TryOperation {
  const words = described.find(({ operation }) => operation.id === id);
  assert.ok(words);
  return tryOperation(words, 7);
}

/** The request of a form with some fields filled in, by name. */
function filledIn(form: TryOperation, given: Record<string, string>, body = form.body ?? "") {
  return tryRequest(form, { values: form.fields.map(({ name, value }) => given[name] ?? value), body });
}

test("a form has every parameter, with the reader's organization filled in, and choices where only some values are allowed", () => {
  const { fields } = formOf("listRuns");
  const names = fields.map(({ name }) => name);
  assert.deepEqual(names.slice(0, 3), ["org_id", "skip", "limit"]);
  assert.equal(fields[0]?.value, "7");
  assert.ok(fields.find(({ name }) => name === "source_type")?.choices.includes("API"));
  assert.deepEqual(formOf("getLogs").fields.find(({ name }) => name === "reverse")?.choices, ["true", "false"]);
  assert.ok(formOf("createRun").fields.some(({ name, place }) => name === "Idempotency-Key" && place === "header"));
});

test("a request has the filled-in values, escaped, and nothing else", () => {
  assert.deepEqual(filledIn(formOf("listRuns"), { q: "a&b c", limit: " 5 " }), {
    path: "/v1/organizations/7/agent/runs?limit=5&q=a%26b+c",
    init: { method: "GET", headers: { accept: "application/json" } },
  });
  const token = filledIn(formOf("getSharedRun"), { share_token: "../users/me" });
  assert.equal("path" in token && token.path, "/v1/shares/..%2Fusers%2Fme");
  assert.deepEqual(filledIn(formOf("createRun"), { "Idempotency-Key": "k1" }, '{"prompt":"x"}'), {
    path: "/v1/organizations/7/agent/run",
    init: {
      method: "POST",
      headers: { accept: "application/json", "Idempotency-Key": "k1", "content-type": "application/json" },
      body: '{"prompt":"x"}',
    },
  });
});

test("input that cannot be sent is named", () => {
  assert.deepEqual(filledIn(formOf("getRun"), { agent_run_id: "  " }), {
    field: "agent_run_id",
    problem: "The path needs agent_run_id.",
  });
  const wrong = filledIn(formOf("createRun"), {}, "{prompt}");
  assert.ok("problem" in wrong && wrong.field === null && wrong.problem.startsWith("This is not JSON: "));
});

test("reads are offered, but no operation that takes a password, ends sessions, revokes tokens or removes people", () => {
  const refused = described.flatMap(({ operation }) => (whyNotTried(operation) === null ? [] : [operation]));
  assert.deepEqual(
    refused.filter(({ method }) => method === "GET").map(({ id }) => id),
    [],
  );
  const ids = new Set(refused.map(({ id }) => id));
  for (const id of [
    "deleteToken",
    "revokeOAuthToken",
    "removeMember",
    "signOut",
    "endOtherSessions",
    "signIn",
    "signInWithPassword",
    "changePassword",
    "updateMe",
    "resetPassword",
    "acceptInvitation",
    "receiveEvent",
  ]) {
    assert.ok(ids.has(id), id);
  }
  for (const id of ["createRun", "cancelRun", "deleteShare"]) assert.ok(!ids.has(id), id);
});

test("responses are shown with the relevant headers, and JSON with a line per part", () => {
  const headers = new Headers({ "x-request-id": "r1", date: "today", ratelimit: '"standard";r=1;t=2' });
  assert.deepEqual(headersShown(headers), [
    ["X-Request-Id", "r1"],
    ["RateLimit", '"standard";r=1;t=2'],
  ]);
  assert.equal(answerShown('{"a":[1]}', "application/json; charset=utf-8"), '{\n  "a": [\n    1\n  ]\n}');
  assert.equal(answerShown('{"code":"x"}', "application/problem+json"), '{\n  "code": "x"\n}');
  for (const text of ['{"a":1}\n{"a":2}', "<html>"]) assert.equal(answerShown(text, "application/jsonl"), text);
  assert.equal(answerShown("broken", "application/json"), "broken");
});
