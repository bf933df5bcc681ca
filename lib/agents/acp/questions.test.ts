import assert from "node:assert/strict";
import { test } from "node:test";
import { PermissionRequest } from "./message.ts";
import { decideByMode, decideByPerson, questionFor } from "./permissions.ts";
import { allowed, diff, offered, record, rejected, text } from "./recorder-under-test.fixture.ts";
import type { PermissionAnswer } from "./tool-call.ts";

/** A request as a person sees it, and the entry after the answer. */
function asking(toolCall: Record<string, unknown>, answer: PermissionAnswer = allowed, options: unknown[] = offered) {
  const run = record();
  const request = PermissionRequest.parse({ sessionId: "s", toolCall, options });
  run.recorder.permissionAsked(request);
  const asked = run.recorder.askedBy(request);
  const question = questionFor(request, asked, new Date(0), 1000);
  run.recorder.permissionAnswered(request.toolCall.toolCallId, answer);
  const id = request.toolCall.toolCallId;
  const end = (fields: Record<string, unknown> = {}) => {
    run.change({ toolCallId: id, status: "completed", ...fields });
    run.complete();
    return run.entries[0];
  };
  return { request, question, end };
}

const command = {
  toolCallId: "m",
  title: "Run command",
  kind: "execute",
  content: [
    text("This will also run rm -rf / as root"),
    { type: "content", content: { type: "resource", resource: { uri: "file:///etc/motd", text: "hello" } } },
    { type: "content", content: { type: "resource_link", name: "Policy", uri: "https://x.test/policy" } },
    { type: "hologram", says: "what nobody knows" },
  ],
  locations: [{ path: "/etc/shadow", line: 2 }, { path: "/repo/a.ts" }],
  rawInput: { command: "ls" },
};
const told =
  'This will also run rm -rf / as root\n\nfile:///etc/motd\nhello\n\nPolicy\nhttps://x.test/policy\n\n{"type":"hologram","says":"what nobody knows"}';
const places = [
  { path: "/etc/shadow", line: 2 },
  { path: "a.ts", line: null },
];

test("a question has the request's title, kind, text, resources and places", () => {
  const { question } = asking(command);
  const { title, kind, text, locations, locations_total, diffs_total, tool_input } = question;
  assert.deepEqual([title, kind, text, locations], ["Run command", "execute", told, places]);
  assert.deepEqual([locations_total, diffs_total], [2, 0]);
  assert.equal(Object(tool_input).command, "ls");
});

test("the entry says what was asked for, however it was answered and whatever came afterwards", () => {
  const answers: PermissionAnswer[] = [
    allowed,
    { decision: "rejected", option: "reject_once", by: "person" },
    { decision: "rejected", option: null, by: "timeout" },
    { decision: "cancelled", option: null, by: "cancel" },
  ];
  for (const answer of answers) {
    const { end } = asking(command, answer);
    const changed = { title: "Ran it", content: [text("total 0")], rawInput: { command: "rm -rf /" } };
    const entry = end(changed);
    assert.deepEqual(entry?.tool_output?.permission, answer);
    assert.deepEqual(entry?.tool_output?.request, {
      kind: "execute",
      locations: places,
      title: "Run command",
      text: told,
      tool_input: {
        title: "Run command",
        command: "ls",
        locations: [{ path: "/etc/shadow", line: 2 }, { path: "a.ts" }],
      },
    });
  }
});

test("a change of mode shows the plan that it is about", () => {
  const { question, end } = asking({
    toolCallId: "x",
    title: "Leave plan mode",
    kind: "switch_mode",
    content: [text("# Plan")],
  });
  assert.deepEqual([question.kind, question.text], ["switch_mode", "# Plan"]);
  assert.deepEqual(end()?.tool_output?.request, { kind: "switch_mode", text: "# Plan" });
});

test("a question has all changes and their true count; a large one leaves room for the others", () => {
  const diffs = [diff("/repo/0", null, "x".repeat(1_000_000))];
  for (let at = 1; at < 300; at++) diffs.push(diff(`/repo/${at}`, "a", "b"));
  diffs[1] = { type: "diff", path: "/repo/gone", oldText: "a", newText: undefined as unknown as string };
  const { question, end } = asking({ toolCallId: "d", title: "Edit", kind: "edit", content: diffs });
  assert.equal(question.diffs_total, 300);
  const shown: { path: string; newText: string }[] = Object(question.tool_input).diffs;
  assert.equal(shown.length, 200);
  assert.deepEqual(shown[1], { path: "gone", oldText: "a", newText: "" });
  assert.deepEqual(shown[199], { path: "199", oldText: "a", newText: "b" });
  assert.ok(JSON.stringify(question).length < 300_000);
  assert.equal(Object(end()?.tool_output).diffs.length, 300);
});

test("the changes of the request count, not those that its call reported before or afterwards", () => {
  const run = record();
  run.call({ toolCallId: "e", title: "Edit", kind: "edit", content: [diff("/repo/x", "1", "2")] });
  const toolCall = { toolCallId: "e", content: [diff("/repo/x", "1", "2"), diff("/repo/y", null, "secret")] };
  const request = PermissionRequest.parse({ sessionId: "s", toolCall, options: offered });
  run.recorder.permissionAsked(request);
  const asked = run.recorder.askedBy(request);
  assert.equal(questionFor(request, asked, new Date(0), 1).diffs_total, 2);
  run.recorder.permissionAnswered("e", allowed);
  run.change({ toolCallId: "e", status: "completed", content: [diff("/repo/x", "1", "2")] });
  const { request: kept } = Object(run.entries[0]?.tool_output);
  assert.deepEqual(kept.diffs, [
    { path: "x", oldText: "1", newText: "2" },
    { path: "y", oldText: null, newText: "secret" },
  ]);
});

test("a long field of an input does not hide a short one behind it", () => {
  const rawInput = { pad: "p".repeat(200_000), command: "rm -rf /" };
  const { question } = asking({ toolCallId: "l", title: "t", kind: "execute", rawInput });
  const { pad, command } = Object(question.tool_input);
  assert.equal(command, "rm -rf /");
  assert.ok(pad.length < 135_000);
});

test("an input of thousands of fields is bounded, says how many it lacks, and hides none beside it", () => {
  const rawInput = {
    ...{ list: Array.from({ length: 20_000 }, (_, at) => at), text: "t".repeat(200_000) },
    ...{ wide: Object.fromEntries(Array.from({ length: 9000 }, (_, at) => [`${"k".repeat(500)}${at}`, at])) },
    ...{ last: { a: 1, b: 2 }, command: "rm -rf /" },
  };
  const { question, end } = asking({ toolCallId: "l", title: "t", kind: "execute", rawInput });
  assert.ok(JSON.stringify(question).length < 140_000, String(JSON.stringify(question).length));
  const { list, wide, command, last } = Object(question.tool_input);
  assert.equal(command, "rm -rf /");
  assert.equal(list.at(-1), `[${20_000 - (list.length - 1)} more values were left out]`);
  assert.equal(wide, "[9000 values were left out]");
  assert.equal(last, "[2 values were left out]");
  const flat = asking({ toolCallId: "f", title: "t", kind: "execute", rawInput: rawInput.wide });
  const fields = Object(flat.question.tool_input);
  assert.ok(JSON.stringify(fields).length < 140_000);
  const lacking = 9000 - (Object.keys(fields).length - 1);
  assert.equal(fields["…"], `[${lacking} more fields were left out]`);
  assert.equal(Object.keys(Object(end()?.tool_input).wide).length, 9000, "the entry has room for them");
});

test("options without names, of unknown kinds and with the same id can all be answered", () => {
  const options = [
    { optionId: "a", kind: "allow_session", name: "Yes, for this session" },
    { optionId: "b", kind: "", name: "Yes" },
    { optionId: "c", kind: "deny" },
    { optionId: "c", kind: "reject_always", name: "Never" },
    { optionId: "c", kind: "reject_always", name: "Never again" },
    { kind: "allow_once", name: "no id" },
  ];
  const { question, request } = asking({ toolCallId: "o", title: "t" }, allowed, options);
  assert.deepEqual(question.options, [
    { id: "a", name: "Yes, for this session", kind: "allow_once" },
    { id: "b", name: "Yes", kind: "allow_once" },
    { id: "c", name: "Never / Never again", kind: "reject_once" },
  ]);
  assert.equal(decideByPerson(request, "b").answer.decision, "allowed");
  assert.deepEqual(decideByPerson(request, "c"), {
    answer: { decision: "rejected", option: "deny", by: "person" },
    optionId: "c",
  });
  assert.equal(decideByMode(request, "auto", false)?.optionId, "a");
});

test("a request has the text of its call that it does not repeat", () => {
  const run = record();
  run.call({ title: "Run", rawInput: { command: "ls" }, content: [text("Why it is needed")] });
  const request = PermissionRequest.parse({ sessionId: "s", toolCall: { toolCallId: "t" }, options: offered });
  run.recorder.permissionAsked(request);
  const asked = run.recorder.askedBy(request);
  assert.equal(questionFor(request, asked, new Date(0), 1000).text, "Why it is needed");
  run.recorder.permissionAnswered("t", allowed);
  run.change({ status: "completed", content: [text("its output")] });
  run.complete();
  assert.equal(Object(run.entries[0]?.tool_output).request.text, "Why it is needed");
});

test("the entry has the places of a request whose input has other ones", () => {
  const { end } = asking({
    toolCallId: "t",
    title: "T",
    rawInput: { locations: ["q"] },
    locations: [{ path: "/etc/passwd" }],
  });
  assert.deepEqual(Object(end()?.tool_output).request.locations, [{ path: "/etc/passwd", line: null }]);
});

test("a call that ends while its question is open has the answer, and is told once if nobody answers", () => {
  for (const isAnswered of [true, false]) {
    const run = record();
    const toolCall = { toolCallId: "t", title: "ls", kind: "execute", rawInput: { command: "ls" } };
    const request = PermissionRequest.parse({ toolCall, options: offered });
    run.recorder.permissionAsked(request);
    run.change({ status: "completed", rawOutput: "a.txt" });
    assert.equal(run.entries.length, 0);
    if (isAnswered) run.entries.push(...run.recorder.permissionAnswered("t", rejected));
    run.complete();
    const [call, end] = run.entries;
    assert.deepEqual([call?.tool_output?.status, call?.tool_output?.output], ["completed", "a.txt"]);
    assert.deepEqual(call?.tool_output?.permission, isAnswered ? rejected : undefined);
    assert.equal(end?.message_type, "FINAL_ANSWER");
  }
});

test("a call whose question was open when the turn was stopped is cancelled, though its agent says that it was rejected", () => {
  const cancelled: PermissionAnswer = { decision: "cancelled", option: null, by: "cancel" };
  for (const isAnswered of [true, false]) {
    const run = record();
    const toolCall = { toolCallId: "t", title: "Edit a.txt", kind: "edit", rawInput: { file_path: "a.txt" } };
    run.recorder.permissionAsked(PermissionRequest.parse({ toolCall, options: offered }));
    run.recorder.stopping();
    run.change({ status: "failed", rawOutput: "The tool use was rejected by the user." });
    if (isAnswered) run.entries.push(...run.recorder.permissionAnswered("t", cancelled));
    run.entries.push(...run.recorder.cancel("Cancelled."));
    assert.deepEqual(
      run.entries.map(({ tool_output }) => tool_output?.status),
      ["cancelled", undefined],
    );
  }
});

test("content and places that are no lists, or not as they should be, are read as far as they can; a question tells the rest as JSON", () => {
  const { question } = asking({
    toolCallId: "t",
    title: "Delete",
    content: { type: "text", text: "all of it" },
    locations: ["/etc/passwd", { path: 4 }, { path: "/repo/a.ts", line: "x" }],
  });
  assert.deepEqual(question.locations, [
    { path: "/etc/passwd", line: null },
    { path: "a.ts", line: null },
  ]);
  assert.equal(question.text, 'all of it\n\n{"path":4}');
  assert.deepEqual(asking({ toolCallId: "t", title: "x", locations: { path: "/b" } }).question.locations, [
    { path: "/b", line: null },
  ]);
  const run = record();
  run.call({
    status: "completed",
    content: ["plain", { type: "text", text: "a block" }, { type: "terminal", terminalId: "1" }, 7],
  });
  assert.equal(run.entries[0]?.tool_output?.output, "plain\na block");
  assert.equal(run.entries[0]?.tool_output?.content_unread, 1, "a terminal's output comes elsewhere");
});
