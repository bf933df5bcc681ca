import assert from "node:assert/strict";
import { test } from "node:test";
import { PermissionRequest } from "./message.ts";
import { allowed, offered, record, rejected } from "./recorder-under-test.fixture.ts";
import type { PermissionAnswer } from "./tool-call.ts";

test("a request without an id is a call of its own", () => {
  const run = record();
  const requests = ["one", "two"].map((title) =>
    PermissionRequest.parse({ toolCall: { toolCallId: "", title, rawInput: { title } }, options: offered }),
  );
  for (const request of requests) run.recorder.permissionAsked(request);
  assert.deepEqual(
    requests.map((request) => run.recorder.askedBy(request).title),
    ["one", "two"],
  );
});

test("a request about a call that has ended is told in an entry of its own", () => {
  const run = record();
  run.call({ title: "List", rawInput: { command: "ls" } });
  run.change({ status: "completed" });
  run.asked({ toolCallId: "t", title: "Delete it", rawInput: { command: "rm" } }, rejected);
  run.complete();
  const [first, second] = run.entries;
  assert.deepEqual([first?.tool_input, Object(first?.tool_output).permission], [{ command: "ls" }, undefined]);
  assert.deepEqual(second?.tool_input, { title: "Delete it", command: "rm" });
  assert.deepEqual(Object(second?.tool_output).permission, rejected);
});

test("each of several requests about one call is told with its answer, whatever their order", () => {
  const run = record();
  run.call({ title: "Run", kind: "execute", rawInput: { command: "make" } });
  const requests = ["make", "sudo make", "rm -rf /"].map((command) =>
    PermissionRequest.parse({ toolCall: { toolCallId: "t", title: command, rawInput: { command } }, options: offered }),
  );
  for (const request of requests) run.entries.push(...run.recorder.permissionAsked(request));
  const [first, second, third] = requests.map(({ toolCall }) => toolCall.toolCallId);
  assert.equal(first, "t");
  const answer = (id: string | undefined, given: PermissionAnswer) =>
    run.entries.push(...run.recorder.permissionAnswered(id ?? "", given));
  answer(second, allowed);
  answer(first, allowed);
  run.change({ status: "completed", rawOutput: "made" });
  assert.equal(run.entries.length, 2);
  answer(third, rejected);
  assert.deepEqual(
    run.entries.map(({ tool_input, tool_output }) => [
      tool_input?.command,
      tool_output?.status,
      Object(tool_output?.permission).decision,
    ]),
    [
      ["make", "completed", "allowed"],
      ["sudo make", "completed", "allowed"],
      ["rm -rf /", "rejected", "rejected"],
    ],
  );
  run.complete();
  assert.equal(run.entries.length, 4);
});

test("a call that goes on after a refused request says what let it, and each request has its own answer", () => {
  const cancelled: PermissionAnswer = { decision: "cancelled", option: null, by: "cancel" };
  for (const refusal of [rejected, cancelled]) {
    for (const status of ["completed", "failed"]) {
      const run = record();
      run.call({ title: "Run", kind: "execute", rawInput: { command: "make" } });
      run.asked({ toolCallId: "t", title: "make", rawInput: { command: "make" } }, refusal);
      const requests = ["make -n", "make -k", "make -j"].map((command) => {
        const toolCall = { toolCallId: "t", title: command, rawInput: { command } };
        return PermissionRequest.parse({ toolCall, options: offered });
      });
      for (const request of requests) run.entries.push(...run.recorder.permissionAsked(request));
      for (const [at, answer] of [allowed, refusal].entries()) {
        const id = requests[at]?.toolCall.toolCallId ?? "";
        run.entries.push(...run.recorder.permissionAnswered(id, answer));
      }
      run.say("working");
      run.change({ status, rawOutput: "made" });
      run.complete();
      const calls = run.entries.filter((entry) => entry.message_type === "ACTION");
      const told = calls.map(({ tool_input, tool_output }) => {
        const { status, permission, request, output } = Object(tool_output);
        return [tool_input?.command, [status, permission?.decision, request?.permission?.decision, output]];
      });
      assert.deepEqual(Object.fromEntries(told), {
        make: [status, "allowed", refusal.decision, "made"],
        "make -n": [status, "allowed", undefined, undefined],
        "make -k": [refusal.decision, refusal.decision, undefined, undefined],
        "make -j": ["unfinished", undefined, undefined, undefined],
      });
    }
  }
});
