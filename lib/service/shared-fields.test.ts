import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { MessageType, NewEntry } from "#lib/contract/logs/entry.ts";
import { checkOutputMarker } from "#lib/entry/checks-said.ts";
import { maskOf } from "#lib/entry/mask-values.ts";
import { ApiUnderTest } from "#lib/web/api-under-test.ts";
import { at, blank, endedRun, eventsOf, read, said, secret, share } from "#lib/web/shared-run.fixture.ts";
import { presentSharedEntry } from "./shared-entry.ts";
import { type SharedKind, type SharedRow, type Shown, sharedInputs, sharedRows, unknownRow } from "./shared-fields.ts";
import { presentSharedProgress } from "./shared-part.ts";
import { sharedInput } from "./shown-of.ts";

let api: ApiUnderTest;
before(async () => {
  api = await ApiUnderTest.open();
});
after(() => api.close());

/** Texts that occur nowhere else, and whether a link without tool output shows them. */
class Canaries {
  readonly prefix: string;
  readonly shown: string[] = [];
  readonly hidden: string[] = [];

  constructor(prefix = "canary") {
    this.prefix = prefix;
  }

  text(isShown: boolean): string {
    const text = `${this.prefix}${this.shown.length + this.hidden.length}x`;
    (isShown ? this.shown : this.hidden).push(text);
    return text;
  }

  number(): number {
    const number = 700_000_000 + this.shown.length + this.hidden.length;
    this.shown.push(String(number));
    return number;
  }

  /** A value with a canary in each place that the rule names, and in others. */
  fill(rule: Shown): unknown {
    if (rule === "text" || rule === "word") return this.text(true);
    if (rule === "number") return this.number();
    if (rule === "shown") return { deep: [this.text(true)] };
    if (rule === "hidden" || rule === "input") return { deep: [this.text(false)], [this.text(false)]: 1 };
    if (rule === "command")
      return `tee ${this.text(true)} <<'END'\n${this.text(false)}\nEND\necho '\n${this.text(false)}'`;
    if (rule === "message") {
      const printed = `${checkOutputMarker}\n${this.text(false)}`;
      return `<system-reminder>${this.text(false)}</system-reminder>${this.text(true)}\n${printed}`;
    }
    if (Array.isArray(rule)) return [this.fill(rule[0]), this.fill(rule[0])];
    const fields = Object.entries(rule).filter(([name]) => name !== "$");
    const filled = fields.map(([name, one]) => [name, this.fill(one)]);
    return {
      ...Object.fromEntries(filled),
      [this.text(false)]: this.text(false),
      deep: { deeper: [this.text(false)] },
    };
  }
}

const fields = ["thought", "tool_name", "tool_input", "tool_output", "observation"] as const;

function filledEntry(canaries: Canaries, message_type: MessageType, row: SharedRow): NewEntry {
  const filled = Object.fromEntries(
    fields.map((field) => {
      const isText = field === "thought" || field === "tool_name";
      return [field, isText ? canaries.text(row[field] !== "hidden") : canaries.fill(row[field])];
    }),
  );
  return { ...blank, created_at: at, message_type, ...filled };
}

/** A tool of each kind. */
const tools: Record<SharedKind, string> = {
  ...{ shell: "Bash", script: "python", edit: "Write", read: "Read", search: "Grep", list: "LS", fetch: "WebFetch" },
  ...{ plan: "TodoWrite", agent: "Task", question: "AskUserQuestion", think: "think", answer: "finish" },
  ...{ browser: "browser_click", generic: "frobnicate", mcp: "mcp__files__run_command", notice: "errand" },
};
/** Fields with contents, by any name that agents use. */
const contents =
  "content contents file_text old_string new_string old_str new_str oldText newText edits patch patchText diff new_source chars " +
  "CodeContent code_edit instructions insert_text prompt body data value sql args arguments headers payload";

function filledCall(canaries: Canaries, kind: SharedKind): NewEntry {
  const rule = sharedInputs[kind];
  const others = contents.split(" ").filter((name) => !Object.hasOwn(rule, name));
  const hidden = Object.fromEntries(others.map((name) => [name, canaries.text(false)]));
  const code = kind === "script" ? { code: canaries.text(false) } : {};
  const tool_input = { ...hidden, ...code, ...Object(canaries.fill(rule)) };
  const output = { status: "completed", output: canaries.text(false), diffs: [], [canaries.text(false)]: 1 };
  const observation = canaries.text(false);
  const call = {
    message_type: "ACTION",
    tool_name: tools[kind],
    tool_input,
    tool_output: output,
    observation,
  } as const;
  return { ...blank, created_at: at, thought: canaries.text(true), ...call };
}

test("a link shows of every field of every message type and kind of tool what the table says, wherever it is read", async () => {
  const canaries = new Canaries();
  const types = Object.entries(sharedRows) as [MessageType, SharedRow][];
  const known = types.filter(([type]) => type !== "AGENT_RUN_LINK");
  const entries = [
    ...known.map(([type, row]) => filledEntry(canaries, type, row)),
    ...(Object.keys(sharedInputs) as SharedKind[]).map((kind) => filledCall(canaries, kind)),
    // Reported by other systems, which may write a text anywhere.
    ...known.flatMap(([message_type, { observation }]): NewEntry[] => {
      if (message_type === "ACTION") return [];
      const isShown = observation === "shown" || observation === "message" || Object.hasOwn(Object(observation), "$");
      const thought = canaries.text(true);
      return [{ ...blank, created_at: at, message_type, thought, observation: canaries.text(isShown) }];
    }),
  ];
  const link = new Canaries("linked");
  const linked = filledEntry(link, "AGENT_RUN_LINK", sharedRows.AGENT_RUN_LINK);
  const runId = await endedRun(api, [...entries, linked]);
  const closed = await share(api, runId);
  const open = await share(api, runId, { outputs: true });
  const whole = async (token: string) => [
    (await read(api, token, "/logs?limit=100")).text,
    (
      await Promise.all(
        [...entries, linked].map(async (_, index) => (await read(api, token, `/logs/${index + 1}`)).text),
      )
    ).join(),
    JSON.stringify(await eventsOf(api, token, () => false)),
  ];
  for (const text of await whole(closed.token)) {
    assert.deepEqual(
      [canaries.shown, link.shown].flatMap((all) => all.filter((one) => !text.includes(one))),
      [],
    );
    assert.deepEqual(
      [canaries.hidden, link.hidden].flatMap((all) => all.filter((one) => text.includes(one))),
      [],
    );
  }
  for (const text of await whole(open.token)) {
    const all = [...canaries.shown, ...canaries.hidden, ...link.shown];
    assert.deepEqual(
      [all.filter((one) => !text.includes(one)), link.hidden.filter((one) => text.includes(one))],
      [[], []],
    );
  }
  for (const path of ["/logs/timeline", "/logs/outline?buckets=9", "/logs/tools", ""]) {
    for (const [{ token }, hidden] of [
      [closed, [...canaries.hidden, ...link.hidden]],
      [open, link.hidden],
    ] as const) {
      const { text } = await read(api, token, path);
      assert.deepEqual(
        hidden.filter((one) => text.includes(one)),
        [],
        path,
      );
    }
  }
  const ofTool = async (path: string) => (await read(api, open.token, `${path}tool_name=${linked.tool_name}`)).json;
  assert.equal((await ofTool("/logs?")).matching_logs, 0);
  assert.equal((await ofTool("/logs/position?seq=1&")).seq, null);
  assert.equal((await ofTool("/logs/outline?buckets=9&")).matching_logs, 0);
  const found = async (q: string) => Number((await read(api, closed.token, `/logs/search?q=${q}`)).json.matching_logs);
  for (const one of canaries.shown) assert.equal(await found(one), 1, one);
  for (const one of [...canaries.hidden, ...link.hidden]) assert.equal(await found(one), 0, one);
  assert.ok(canaries.shown.length > 200 && canaries.hidden.length > 500);
});

test("a message type that is not known, and one with a name of objects, show their thought and how they ended", () => {
  for (const message_type of ["A_LATER_TYPE", "constructor", "__proto__"]) {
    const canaries = new Canaries();
    const entry = { ...filledEntry(canaries, "ACTION", unknownRow), message_type, agent_run_id: 1, seq: 2 };
    const text = presentSharedEntry(JSON.stringify(entry), { showsOutputs: false, values: maskOf([]) }, null);
    assert.deepEqual(
      canaries.hidden.filter((one) => text.includes(one)),
      [],
    );
    assert.deepEqual(
      canaries.shown.filter((one) => !text.includes(one)),
      [],
    );
  }
});

test("of an edit the files are left with how many characters are hidden, in whatever form it came", () => {
  const patch =
    "*** Begin Patch\n*** Add File: a.ts\n+canary\n*** Update File: b.ts\n@@ canary\n-canary\n+canary\n*** End Patch";
  const unified = "--- a/b.ts\n+++ b/b.ts\n@@ -1 +1 @@ canary\n-canary\n+canary\n";
  const files = (input: object, tool_name = "edit", tool_output: object = {}) => {
    const shown = sharedInput({ tool_name, tool_input: input, tool_output });
    assert.doesNotMatch(JSON.stringify(shown), /canary/);
    const { changed_files } = shown.tool_input as { changed_files?: { path: string; status: string }[] };
    return [changed_files?.map(({ path, status }) => `${path} ${status}`).join(), shown.input_hidden];
  };
  const both = "a.ts added,b.ts modified";
  assert.deepEqual(files({ input: patch }, "apply_patch"), [both, patch.length]);
  assert.deepEqual(files({ command: ["bash", "-lc", `cd x\napply_patch <<'EOF'\n${patch}\nEOF`] }, "shell")[0], both);
  assert.equal(files({ input: `await tools.apply_patch(${JSON.stringify(patch)})` }, "exec")[0], both);
  assert.deepEqual(files({ patch: unified }, "git_apply"), ["b.ts modified", unified.length]);
  const path = "a.ts";
  assert.deepEqual(files({ path, content: "canary" }, "write_file"), ["a.ts added", 6]);
  assert.equal(files({ path, old_string: "canary", new_string: "canary 2" })[0], "a.ts modified");
  assert.equal(files({ path, edits: [{ oldText: "canary", newText: "x" }] })[0], "a.ts modified");
  assert.equal(files({ notebook_path: path, new_source: "canary" }, "NotebookEdit")[0], "a.ts modified");
  assert.equal(files({ command: "create", path, file_text: "canary" }, "str_replace_editor")[0], "a.ts added");
  const diffs = [{ path, oldText: "canary", newText: "canary 2" }];
  assert.deepEqual(files({ title: "Edit canary", path }, "edit", { diffs }), ["a.ts modified", 11]);
  assert.deepEqual(files({ patch: "no patch of canary" }), [undefined, 18]);
});

test("what an agent calls through another tool is hidden as if it had called it itself", () => {
  const ofExec = (script: string) => sharedInput({ tool_name: "exec", tool_input: { input: script }, tool_output: {} });
  assert.deepEqual(ofExec('tools.exec_command({cmd: "ls"})').tool_input, { cmd: "ls" });
  for (const script of [
    'tools.mcp__db__run({command: "canary", query: "canary"})',
    "write('canary'); tools.a(); tools.b()",
  ])
    assert.deepEqual(ofExec(script), { tool_input: {}, input_hidden: script.length });
  // A query of a tool that is not known to search may be anything.
  assert.deepEqual(sharedInput({ tool_name: "sql", tool_input: { query: "canary" }, tool_output: {} }).tool_input, {});
});

test("a message's files and images are left out, its commands stay; files keep their size", () => {
  const attachments = [{ name: "a.csv", media_type: "text/csv", bytes: 6, text: "canary" }];
  const image = { type: "image", source: { type: "base64", data: "canary" } };
  const content = [{ type: "text", text: "<bash-input>ls</bash-input><bash-stdout>canary</bash-stdout>Look" }, image];
  const entry = {
    ...said(""),
    tool_input: { turn: 1, attachments },
    observation: { content },
    agent_run_id: 1,
    seq: 1,
  };
  const shown = JSON.parse(
    presentSharedEntry(JSON.stringify(entry), { showsOutputs: false, values: maskOf([]) }, null),
  );
  assert.deepEqual(shown.tool_input, { turn: 1, attachments: [{ name: "a.csv", media_type: "text/csv", bytes: 6 }] });
  assert.equal(shown.observation, "<bash-input>ls</bash-input>\nLook");
});

test("work in progress shows what its entry will show", () => {
  const tool = { id: "t", title: "Write canary", output: "canary", started_at: at };
  const write = { ...tool, tool_name: "Write", tool_input: { file_path: "a.ts", content: "canary" } };
  const run = { ...tool, tool_name: "Bash", tool_input: { command: `cat <<E\ncanary\nE\necho ${secret}` } };
  const other = { ...tool, tool_name: "mcp__x__y", tool_input: { canary: "canary" } };
  const progress = { thought: "I think", text: "I say", tools: [write, run, other], log: "canary", updated_at: at };
  const shown = presentSharedProgress(progress, { showsOutputs: false, values: maskOf([]) });
  assert.doesNotMatch(JSON.stringify(shown), /canary|ghp_/);
  assert.deepEqual(
    shown?.tools.map(({ title }) => title),
    ["a.ts", "cat <<E", ""],
  );
  assert.deepEqual([shown?.thought, shown?.text], ["I think", "I say"]);
});
