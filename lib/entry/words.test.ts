import assert from "node:assert/strict";
import { test } from "node:test";
import { entryTitleOf, messageTypeLabel } from "./labels.ts";
import { messageTextOf, personTextOf } from "./person-text.ts";
import { checklistOf, planOf, planOfItems } from "./plan.ts";
import { questionsOf } from "./question.ts";
import { toolNameOf } from "./tool-name.ts";

test("a tool of an MCP server is shown by its own name, beside its server", () => {
  const cases: [string | null, string, string | null][] = [
    ["mcp__playwright__browser_click", "browser_click", "playwright"],
    ["mcp__claude_ai_Linear__list_issues", "list_issues", "claude_ai_Linear"],
    ["mcp_github_create_issue", "create_issue", "github"],
    ["github/create_issue", "create_issue", "github"],
    ["str_replace_editor", "str_replace_editor", null],
    ["web__run", "web__run", null],
    ["read, whole", "read, whole", null],
    ["", "tool", null],
    [null, "tool", null],
  ];
  for (const [written, name, server] of cases) assert.deepEqual(toolNameOf(written), { name, server }, String(written));
});

test("entries have the same title everywhere", () => {
  const entry = { message_type: "ACTION", tool_name: null, thought: null, observation: null };
  assert.equal(entryTitleOf({ ...entry, tool_name: "Bash" }), "Bash");
  assert.equal(entryTitleOf({ ...entry, message_type: "PLAN_EVALUATION", thought: "- [ ] Look" }), "Plan");
  assert.equal(entryTitleOf({ ...entry, message_type: "PLAN_EVALUATION", thought: "Look" }), "Thought");
  assert.equal(
    entryTitleOf({ ...entry, message_type: "USER_MESSAGE", observation: { kind: "interruption" } }),
    "Interrupted",
  );
  assert.equal(messageTypeLabel("SOMETHING_NEW"), "Something new");
  assert.equal(messageTypeLabel("constructor"), "Constructor");
});

test("text that a harness added to a message is separated from the person's words", () => {
  const injected = (message: string) => {
    const { text, injected: put } = personTextOf(message);
    return [text, put.map(({ tag }) => tag)];
  };
  assert.deepEqual(injected("Mend it.\n<system-reminder>be careful</system-reminder>"), [
    "Mend it.",
    ["system-reminder"],
  ]);
  assert.deepEqual(injected("<uploaded_files>\n/w\n</uploaded_files>\nMend it."), ["Mend it.", ["uploaded_files"]]);
  assert.deepEqual(injected("<bash-input>ls</bash-input>\n<bash-stdout>a</bash-stdout>"), [
    "",
    ["bash-input", "bash-stdout"],
  ]);
  assert.deepEqual(injected("<task-notification><status>done</status></task-notification>"), [
    "",
    ["task-notification"],
  ]);
  assert.deepEqual(injected("Use <b>bold</b> here"), ["Use <b>bold</b> here", []]);
  assert.deepEqual(injected("<system-reminder>never closed"), ["<system-reminder>never closed", []]);
  assert.equal(
    messageTextOf({ content: [{ type: "text", text: "one" }, { type: "image" }, { type: "text", text: "two" }] }),
    "one\n\ntwo",
  );
  assert.equal(messageTextOf([{ type: "image" }]), null);
});

test("a message of many or of long reminders is read in linear time", () => {
  const many = 200_000;
  const { text, injected } = personTextOf(`Mend it.${"<system-reminder>a</system-reminder>\n".repeat(many)}`);
  assert.deepEqual([text, injected.length, injected.at(-1)?.text], ["Mend it.", many, "a"]);
  const long = "y".repeat(12_000_000);
  assert.equal(personTextOf(`Mend it. <system-reminder>${long}</system-reminder>`).text, "Mend it.");
  for (const piece of ["<system-reminder>", "</system-reminder>", "<system-reminder>a</system-reminder> b "]) {
    personTextOf(`x${piece.repeat(100_000)}`);
  }
});

test("a plan given as data reads like its checklist, failed steps too", () => {
  const steps = planOfItems([
    { content: "Look", status: "completed" },
    { step: "Mend", status: "in_progress" },
    { subject: "Ship", status: "failed" },
    { title: "Sing", state: "cancelled" },
    "Rest",
    { nothing: 1 },
  ]);
  assert.deepEqual(
    steps?.map(({ state }) => state),
    ["done", "active", "failed", "dropped", "open"],
  );
  const read = planOf(checklistOf(steps ?? []));
  assert.deepEqual(
    read?.map(({ state }) => state),
    steps?.map(({ state }) => state),
  );
  assert.deepEqual(read?.map(({ text }) => text).slice(0, 3), ["Look", "Mend", "Ship"]);
  assert.equal(planOfItems([]), null);
});

test("a question has its options and, if reported, its answer", () => {
  const questions = [
    {
      question: 'Which "one"?',
      header: "Kind",
      multiSelect: true,
      options: [{ label: "A", description: "first" }, "B"],
    },
    { question: "When?", options: [] },
  ];
  const said = 'User has answered: "Which "one"?"="A, B", "When?"="Now". You can go on.';
  const asked = questionsOf({ questions }, { text: said });
  assert.deepEqual(
    asked.map(({ text, answer }) => [text, answer]),
    [
      ['Which "one"?', "A, B"],
      ["When?", "Now"],
    ],
  );
  assert.deepEqual(asked[0]?.options, [
    { label: "A", description: "first" },
    { label: "B", description: null },
  ]);
  assert.deepEqual(
    questionsOf({ question: "Sure?", choices: ["Yes"] }, { answer: "Yes" }).map(({ answer }) => answer),
    ["Yes"],
  );
  assert.deepEqual(
    questionsOf({ questions }, null).map(({ answer }) => answer),
    [null, null],
  );
  assert.deepEqual(
    questionsOf({ questions }, { toolUseResult: { answers: { "When?": "Later" } } })[1]?.answer,
    "Later",
  );
});
