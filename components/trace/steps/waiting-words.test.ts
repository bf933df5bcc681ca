import assert from "node:assert/strict";
import { test } from "node:test";
import { waitingWords } from "./waiting-words.ts";

const run = { status: "running", agent: "claude", queue_position: null, pull_request: null };

test("a run for which nothing is at work says what it waits for, and is not called working", () => {
  assert.equal(waitingWords({ ...run, status: "queued", queue_position: 1 }), "Queued, next to start.");
  assert.equal(waitingWords({ ...run, status: "queued", queue_position: 3 }), "Queued behind 2 other runs.");
  assert.equal(waitingWords({ ...run, status: "queued" }), "Queued. It starts as soon as a slot is free.");
  const fixing = { ...run, pull_request: { stage: "fixing" as const } };
  assert.equal(
    waitingWords({ ...fixing, status: "evaluating" }),
    "The next turn starts as soon as a slot is free.",
    "the turn that is to fix its checks has no slot yet",
  );
  assert.equal(waitingWords({ ...run, agent: "external" }), "Waiting for the other system.");
});

test("a run at work waits for nothing", () => {
  assert.equal(waitingWords(run), null);
  assert.equal(waitingWords({ ...run, pull_request: { stage: "fixing" } }), null, "the fix has begun");
  assert.equal(waitingWords({ ...run, status: "evaluating", pull_request: { stage: "testing" } }), null);
});
