import assert from "node:assert/strict";
import { test } from "node:test";
import { runLinkOf } from "./run-link.ts";

test("a linked run is found in every place it is written to", () => {
  const link = (observation: unknown, tool_input: unknown = null) =>
    runLinkOf({ observation, tool_input, tool_output: null });
  assert.equal(link("https://errand.example/runs/12").runId, 12);
  assert.equal(link("12").runId, 12);
  assert.equal(link({ agent_run_id: "12" }).runId, 12);
  assert.equal(link(null, { run_id: 12 }).runId, 12);
  assert.deepEqual(link("See the other run"), { runId: null, href: null, text: "See the other run", relation: null });
  const analysis = { agent_run_id: 12, relation: "analysed_by", web_url: "https://errand.example/runs/12" };
  assert.deepEqual(link(analysis), { runId: 12, href: analysis.web_url, text: null, relation: "analysed_by" });
  assert.equal(link({ ...analysis, relation: "constructor" }).relation, null);
});

test("a linked run is reached by addresses of the web only", () => {
  const none = { observation: "javascript:alert(1)", tool_input: { url: "file:///etc/passwd" }, tool_output: null };
  assert.equal(runLinkOf(none).href, null);
});
