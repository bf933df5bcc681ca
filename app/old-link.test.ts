import assert from "node:assert/strict";
import test from "node:test";
import { redirectTo, redirectToRun } from "./old-link.ts";

const locationOf = (response: Response) => [response.status, response.headers.get("location")];

test("an old link to a run leads to the run, its query kept", async () => {
  const request = new Request("http://host/agent/trace/42?tab=diff&a=b%20c");
  const answer = await redirectToRun(request, { params: Promise.resolve({ run_id: "42" }) });
  assert.deepEqual(locationOf(answer), [308, "/runs/42?tab=diff&a=b%20c"]);
});

test("an old link never leads out of the list of runs", async () => {
  const answer = await redirectToRun(new Request("http://host/x/a"), {
    params: Promise.resolve({ run_id: "//evil.example" }),
  });
  assert.deepEqual(locationOf(answer), [308, "/runs/%2F%2Fevil.example"]);
});

test("an old page leads to its new place", async () => {
  const answer = await redirectTo("/runs/new")(new Request("http://host/new?repo_id=3"), {
    params: Promise.resolve({}),
  });
  assert.deepEqual(locationOf(answer), [308, "/runs/new?repo_id=3"]);
});
