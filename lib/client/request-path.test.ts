import assert from "node:assert/strict";
import test from "node:test";
import { fillPath, queryString } from "./request-path.ts";

test("path parameters are filled in and stay one segment", () => {
  assert.equal(
    fillPath("/v1/organizations/{org_id}/agent/run/{agent_run_id}", { org_id: 1, agent_run_id: 42 }),
    "/v1/organizations/1/agent/run/42",
  );
  assert.equal(fillPath("/v1/{name}", { name: "../a b?c#d" }), "/v1/..%2Fa%20b%3Fc%23d");
});

test("a missing path parameter is refused", () => {
  assert.throws(() => fillPath("/v1/{org_id}", {}), /needs org_id/);
  assert.throws(() => fillPath("/v1/{org_id}", { org_id: null }), /needs org_id/);
});

test("a query leaves out absent values, keeps zero, false and empty text, and joins lists", () => {
  assert.equal(queryString({}), "");
  assert.equal(queryString({ skip: undefined, clip: null }), "");
  assert.equal(queryString({ skip: 0, reverse: false, q: "" }), "?skip=0&reverse=false&q=");
  assert.equal(queryString({ status: ["queued", "running"], q: "a&b=c d" }), "?status=queued%2Crunning&q=a%26b%3Dc+d");
});
