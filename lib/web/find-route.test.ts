import assert from "node:assert/strict";
import { resolve } from "node:path";
import { before, test } from "node:test";
import { ApiError } from "#lib/contract/error.ts";
import { findDestination } from "./find-route.ts";
import { type RouteNode, readRouteTree } from "./route-tree.ts";

let tree: RouteNode;
before(async () => {
  tree = await readRouteTree(resolve(import.meta.dirname, "../../app"));
});

function found(method: string, path: string): unknown {
  try {
    const destination = findDestination(tree, method, path);
    return destination.kind === "endpoint"
      ? [destination.endpoint.operation.id, destination.params]
      : destination.allow;
  } catch (error) {
    if (error instanceof ApiError) return [error.status, error.headers.allow].filter((part) => part !== undefined);
    throw error;
  }
}

test("a path finds its endpoint, fixed names before parameters", () => {
  assert.deepEqual(found("GET", "/v1/organizations/1/agent/run/7"), ["getRun", { org_id: "1", agent_run_id: "7" }]);
  assert.deepEqual(found("POST", "/v1/organizations/1/agent/run/resume"), ["resumeRun", { org_id: "1" }]);
  assert.deepEqual(found("GET", "/v1/organizations/1/agent/run/7/logs/stream"), [
    "streamLogs",
    { org_id: "1", agent_run_id: "7" },
  ]);
  assert.deepEqual(found("HEAD", "/healthz"), ["getHealth", {}]);
  assert.deepEqual(found("GET", "/v1/organizations/"), ["listOrganizations", {}]);
  assert.deepEqual(found("GET", "/v1/organizations/a%2Fb/agents"), ["listAgents", { org_id: "a/b" }]);
});

test("an unknown path is 404, an unsupported method 405 with Allow, an invalid escape 400", () => {
  for (const path of ["/v1", "/v1/", "/v1/nothing", "/v1//organizations", "/v1/organizations/1/", "/v1/__proto__"]) {
    assert.deepEqual(found("GET", path), [404], path);
  }
  assert.deepEqual(found("PUT", "/v1/organizations/1/repos"), [405, "GET, POST, HEAD, OPTIONS"]);
  assert.deepEqual(found("GET", "/v1/organizations/1/agent/run/resume"), [405, "POST, OPTIONS"]);
  assert.equal(found("OPTIONS", "/healthz"), "GET, HEAD, OPTIONS");
  assert.deepEqual(found("GET", "/v1/%zz"), [400]);
  assert.deepEqual(found("GET", "/v1/organizations/%ff/agents"), [400]);
});
