import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { redirectTo, redirectToRun } from "./old-link.ts";

const locationOf = (response: Response) => [response.status, response.headers.get("location")];

test("an old link to a run redirects to the run and keeps its query", async () => {
  const request = new Request("http://host/agent/trace/42?tab=diff&a=b%20c");
  const answer = await redirectToRun(request, { params: Promise.resolve({ run_id: "42" }) });
  assert.deepEqual(locationOf(answer), [308, "/runs/42?tab=diff&a=b%20c"]);
});

test("an old link never redirects outside the list of runs", async () => {
  const answer = await redirectToRun(new Request("http://host/x/a"), {
    params: Promise.resolve({ run_id: "//evil.example" }),
  });
  assert.deepEqual(locationOf(answer), [308, "/runs/%2F%2Fevil.example"]);
});

test("an old page redirects to its new address", async () => {
  const answer = await redirectTo("/runs/new")(new Request("http://host/new?repo_id=3"), {
    params: Promise.resolve({}),
  });
  assert.deepEqual(locationOf(answer), [308, "/runs/new?repo_id=3"]);
});

test("every address that clients of the reference service print or open leads to an existing page", async () => {
  const cases: [folder: string, params: Record<string, string>, location: string, page: string][] = [
    ["agent/trace/[run_id]", { run_id: "42" }, "/runs/42", "runs/[run_id]"],
    ["x/[run_id]", { run_id: "42" }, "/runs/42", "runs/[run_id]"],
    ["traces/[run_id]", { run_id: "42" }, "/runs/42", "runs/[run_id]"],
    ["token", {}, "/settings/tokens", "settings/tokens"],
    ["cli-token", {}, "/settings/tokens", "settings/tokens"],
    ["me", {}, "/runs", "runs"],
    ["agents", {}, "/runs", "runs"],
    ["analytics", {}, "/runs", "runs"],
    ["repos", {}, "/repositories", "repositories"],
    ["integrations", {}, "/settings/integrations", "settings/integrations"],
    ["new", {}, "/runs/new", "runs/new"],
  ];
  for (const [folder, params, location, page] of cases) {
    const route: { GET: ReturnType<typeof redirectTo> } = await import(join(import.meta.dirname, folder, "route.ts"));
    const answer = await route.GET(new Request(`http://host/${folder}`), { params: Promise.resolve(params) });
    assert.deepEqual(locationOf(answer), [308, location], folder);
    assert.ok(existsSync(join(import.meta.dirname, "(dashboard)", page, "page.tsx")), page);
  }
  assert.ok(existsSync(join(import.meta.dirname, "(dashboard)/claude-code/[session_id]/page.tsx")));
});
