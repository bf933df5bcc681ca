import assert from "node:assert/strict";
import { test } from "node:test";
import { errorWordsOf, observationOf, runLinkOf, turnOriginOf } from "./observation.ts";

test("an observation gives its words and links first, the rest as JSON", () => {
  assert.deepEqual(observationOf("plain"), { title: null, text: "plain", links: [], rest: null });
  assert.deepEqual(
    observationOf({ title: "Fix", url: "https://a.example/pull/1", number: 1, body: "Why", head: null }),
    {
      title: "Fix",
      text: "Why",
      links: [{ label: "a.example/pull/1", href: "https://a.example/pull/1" }],
      rest: { number: 1 },
    },
  );
  assert.deepEqual(observationOf([1]).rest, [1]);
  assert.equal(observationOf(null).rest, null);
});

test("only addresses of the web become links", () => {
  const { links, rest } = observationOf({ url: "javascript:alert(1)", link: "data:text/html,x" });
  assert.deepEqual(links, []);
  assert.deepEqual(rest, { url: "javascript:alert(1)", link: "data:text/html,x" });
  const none = { observation: "javascript:alert(1)", tool_input: { url: "file:///etc/passwd" }, tool_output: null };
  assert.equal(runLinkOf(none).href, null);
});

test("an error says its message, whatever its shape", () => {
  assert.deepEqual(errorWordsOf({ code: "agent_exit", message: "It died.", data: { code: 1 } }), {
    code: "agent_exit",
    message: "It died.",
    details: { code: 1 },
  });
  assert.deepEqual(errorWordsOf({ code: -32603, message: "Internal", stack: "x" }), {
    code: "-32603",
    message: "Internal",
    details: { stack: "x" },
  });
  assert.equal(errorWordsOf("boom").message, "boom");
  assert.deepEqual(errorWordsOf({ odd: 1 }).details, { odd: 1 });
  assert.notEqual(errorWordsOf(null).message, "");
});

test("a turn tells how its session came about", () => {
  assert.deepEqual(turnOriginOf({ turn: 2, session: "seeded", notice: "gone" }), {
    turn: 2,
    session: "seeded",
    notice: "gone",
  });
  assert.equal(turnOriginOf(null), null);
});

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
