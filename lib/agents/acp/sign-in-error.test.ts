import assert from "node:assert/strict";
import { test } from "node:test";
import { signInError } from "./sign-in-error.ts";

const profile = { title: "Agent", keys: [], signInHint: "Sign in.", hasModel: true } as Parameters<
  typeof signInError
>[0];

test("the endpoint's words are quoted where only the data of the error has them", () => {
  const error = { code: -32603, message: "Internal error", data: { details: "401 x: invalid api key" } };
  assert.match(signInError(profile, error, "")?.message ?? "", /“401 x: invalid api key”/);
});

test("a line of output that only repeats the error is no better", () => {
  const error = { code: -32000, message: "Authentication required", data: null };
  const said = "401 Unauthorized: bad token\nRequestError: Authentication required\n";
  assert.match(signInError(profile, error, said)?.message ?? "", /“401 Unauthorized: bad token”/);
});
