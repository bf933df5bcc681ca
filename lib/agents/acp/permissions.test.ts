import assert from "node:assert/strict";
import { test } from "node:test";
import { limits, start, startProblem } from "./driver-under-test.fixture.ts";

test("auto allows once by the option's kind", async (t) => {
  const { turn } = await start(t, {});
  const { all, result } = await turn("PERMISSION edit");
  assert.match(result ?? "", /"optionId":"yes"/);
  assert.deepEqual(all[1]?.tool_output?.permission, { decision: "allowed", option: "allow_once", by: "auto" });
  assert.equal(all[1]?.tool_output?.output, "touched");
});

test("read-only allows reading and rejects writing and unknown kinds", async (t) => {
  const { turn } = await start(t, {}, { permissionMode: "read-only" });
  for (const kind of ["read", "search", "think", "fetch"]) {
    assert.match((await turn(`PERMISSION ${kind} ${kind}`)).result ?? "", /"optionId":"yes"/, kind);
  }
  for (const kind of ["edit", "delete", "move", "execute", "other", "switch_mode", "strange"]) {
    const { all, result } = await turn(`PERMISSION ${kind} ${kind}`);
    assert.match(result ?? "", /"optionId":"no"/, kind);
    assert.equal(all[1]?.tool_output?.status, "rejected");
    assert.deepEqual(all[1]?.tool_output?.permission, { decision: "rejected", option: "reject_once", by: "read-only" });
  }
});

test("read-only rejects requests to the network of an agent that may not fetch", async (t) => {
  const { turn } = await start(t, {}, { permissionMode: "read-only", mayFetch: false });
  assert.match((await turn("PERMISSION read read")).result ?? "", /"optionId":"yes"/);
  assert.match((await turn("PERMISSION fetch fetch")).result ?? "", /"optionId":"no"/);
});

test("ask lets a person choose, one question at a time, and the wait does not count as the agent's time", async (t) => {
  let open = 0;
  const { turn, questions } = await start(
    t,
    {},
    {
      permissionMode: "ask",
      limits: { inactivityMs: 2000, turnMs: 4000 },
      ask: async (question) => {
        open += 1;
        assert.equal(open, 1);
        await new Promise((resolve) => setTimeout(resolve, 2200));
        open -= 1;
        return question.tool_input !== null ? "yes" : null;
      },
    },
  );
  const { all, status } = await turn("PERMISSION edit a b");
  assert.equal(status, "completed");
  assert.equal(questions.length, 2);
  assert.equal(questions[0]?.title, "touch it");
  assert.deepEqual(questions[0]?.tool_input, {
    title: "touch it",
    path: "a.txt",
    diffs: [{ path: "a.txt", oldText: "1", newText: "2" }],
  });
  assert.equal(
    Date.parse(questions[0]?.expires_at ?? "") - Date.parse(questions[0]?.asked_at ?? ""),
    limits.questionMs,
  );
  assert.deepEqual(all[1]?.tool_output?.permission, { decision: "allowed", option: "allow_once", by: "person" });
});

test("no answer in time rejects", async (t) => {
  const { turn } = await start(t, {}, { permissionMode: "ask", ask: async () => null });
  const { all, result } = await turn("PERMISSION edit");
  assert.match(result ?? "", /"optionId":"no"/);
  assert.deepEqual(all[1]?.tool_output?.permission, { decision: "rejected", option: "reject_once", by: "timeout" });
});

test("a cancel while a person is asked answers the question as cancelled", async (t) => {
  const cancel = new AbortController();
  const ask = async () => {
    cancel.abort();
    return new Promise<string | null>(() => undefined);
  };
  const { turn } = await start(t, {}, { permissionMode: "ask", ask });
  const { status, types, all } = await turn("PERMISSION edit", cancel.signal);
  assert.deepEqual([status, types], ["cancelled", ["USER_MESSAGE", "ACTION", "USER_MESSAGE"]]);
  assert.equal(all[1]?.tool_output?.status, "cancelled");
  assert.deepEqual(all[1]?.tool_output?.permission, { decision: "cancelled", option: null, by: "cancel" });
});

test("the session's mode follows the permission mode, and read-only does not run without it", async (t) => {
  const profile = { modes: { auto: "free", "read-only": "plan" } };
  const { turn } = await start(t, { modes: ["build", "plan"] }, { profile, permissionMode: "read-only" });
  assert.match((await turn("BLOCKS")).result ?? "", /"mode:plan"/);
  assert.ok(await start(t, { modes: ["build"] }, { profile }));
  const { message } = await startProblem(t, { modes: ["build"] }, { profile, permissionMode: "read-only" });
  assert.match(message, /no mode "plan", which read-only needs. Available modes: build/);
});

test("an agent mode named by the run is used instead of the profile's, and one that the agent lacks is an error", async (t) => {
  const profile = { modes: { auto: "build" } };
  const { turn } = await start(t, { modes: ["build", "plan"] }, { profile, mode: "plan" });
  assert.match((await turn("BLOCKS")).result ?? "", /"mode:plan"/);
  const { message, observation } = await startProblem(t, { modes: ["build"] }, { profile, mode: "plan" });
  assert.equal(message, 'Scripted has no mode "plan". Available modes: build.');
  assert.equal(observation.code, "mode_unavailable");
});

test("a request that nobody could answer is cancelled at once, and a question is bounded whatever the agent sends", async (t) => {
  const { turn, questions } = await start(
    t,
    {},
    { permissionMode: "ask", ask: async (question) => question.options[0]?.id ?? null },
  );
  for (const id of ["no-options", "long-option"]) {
    const { all } = await turn(`PERMISSION edit ${id}`);
    assert.deepEqual(all[1]?.tool_output?.permission, { decision: "cancelled", option: null, by: "cancel" });
  }
  assert.equal(questions.length, 0);
  assert.match((await turn("PERMISSION edit many-options")).result ?? "", /"optionId":"o0"/);
  const [question] = questions;
  assert.equal(question?.options.length, 20);
  assert.ok(JSON.stringify(question).length < 32_000, `${JSON.stringify(question).length} characters`);
});
