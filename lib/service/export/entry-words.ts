import { LogEntry } from "#lib/contract/entry.ts";
import { fieldsOf, numberField, textField } from "#lib/contract/json-fields.ts";
import { diffText } from "./diff-text.ts";
import { jsonText } from "./json-text.ts";

/** A part of an entry: what people and models wrote (`prose`, Markdown), or text to be shown letter by letter. */
export type Block = { kind: "prose" | "text"; label: string | null; language: string; text: string };

/** What an entry says, in the order in which it is read. */
export type EntryWords = {
  seq: number;
  createdAt: string;
  /** Where a turn begins with this entry, its number. */
  turn: number | null;
  title: string;
  /** What it is about in one line: a path, a command's purpose. Empty where there is nothing of that kind. */
  about: string;
  facts: string[];
  isError: boolean;
  blocks: Block[];
};

/** Puts a stored entry into words; whatever has no place of its own is there as JSON. */
export function entryWords(body: string): EntryWords {
  const entry = LogEntry.parse(JSON.parse(body));
  const words: EntryWords = {
    seq: entry.seq,
    createdAt: entry.created_at,
    turn: null,
    title: titles[entry.message_type] ?? entry.message_type,
    about: "",
    facts: [],
    isError: false,
    blocks: [],
  };
  if (entry.message_type === "ERROR") addError(words, entry);
  if (entry.thought !== null && entry.thought !== "") words.blocks.push(prose(entry.thought));
  if (entry.message_type === "ACTION") addTool(words, entry);
  else if (entry.message_type !== "ERROR") addOther(words, entry);
  return words;
}

const titles: Record<string, string> = {
  ACTION: "Tool",
  PLAN_EVALUATION: "Thought",
  FINAL_ANSWER: "Answer",
  ERROR: "Error",
  USER_MESSAGE: "Message",
  USER_GITHUB_ISSUE_COMMENT: "Issue comment",
  INITIAL_PR_GENERATION: "Pull request",
  DETECT_PR_ERRORS: "Checks failed",
  FIX_PR_ERRORS: "Fixing checks",
  PR_CREATION_FAILED: "Pull request failed",
  PR_EVALUATION: "Pull request review",
  COMMIT_EVALUATION: "Commit review",
  AGENT_RUN_LINK: "Linked run",
};

function addTool(words: EntryWords, { tool_name, tool_input, tool_output, observation }: LogEntry): void {
  const input = fieldsOf(tool_input);
  const output = fieldsOf(tool_output);
  words.title = tool_name ?? "Tool";
  words.about = textField(input, "description", "file_path", "filePath", "path", "pattern", "query", "url") ?? "";
  const used = new Set<string>();
  const command = commandOf(input.command ?? input.cmd);
  if (command !== null) {
    words.blocks.push(literal("Command", command, "sh"));
    for (const name of ["command", "cmd", "description"]) used.add(name);
  }
  const reported = Array.isArray(output.diffs) ? output.diffs.flatMap(reportedChange) : [];
  const changes = reported.length > 0 ? reported : wantedChanges(input);
  for (const { path, oldText, newText } of changes) {
    words.blocks.push(literal(path, diffText(path, oldText, newText), "diff"));
  }
  if (changes.length > 0) for (const name of changeFields) used.add(name);
  addRest(words, "Input", tool_input, used);
  addResult(words, tool_output);
  addValue(words, "Observation", observation);
}

function addResult(words: EntryWords, toolOutput: unknown): void {
  if (typeof toolOutput === "string") {
    words.blocks.push(literal("Output", toolOutput));
    return;
  }
  const output = fieldsOf(toolOutput);
  const used = new Set(["status", "exit_code", "signal", "duration_ms", "diffs"]);
  const status = textField(output, "status");
  const exitCode = numberField(output, "exit_code");
  const signal = textField(output, "signal");
  const durationMs = numberField(output, "duration_ms");
  if (status !== null && status !== "completed") words.facts.push(status);
  if (exitCode !== null) words.facts.push(`exit ${exitCode}`);
  if (signal !== null) words.facts.push(signal);
  if (durationMs !== null) words.facts.push(`${(durationMs / 1000).toFixed(durationMs < 10_000 ? 1 : 0)} s`);
  words.isError = failures.has(status ?? "") || (exitCode ?? 0) !== 0 || signal !== null;
  const text = textField(output, "output");
  if (text !== null) words.blocks.push(literal("Output", text));
  if (typeof output.output === "string") used.add("output");
  addRest(words, "Result", toolOutput, used);
}

const failures = new Set(["failed", "error", "rejected", "cancelled", "interrupted", "unfinished"]);

function addError(words: EntryWords, { observation, tool_name, tool_input, tool_output }: LogEntry): void {
  const fields = fieldsOf(observation);
  const message = typeof observation === "string" ? observation : textField(fields, "message");
  words.isError = true;
  words.about = textField(fields, "code") ?? "";
  if (message !== null) words.blocks.push(literal(null, message));
  if (typeof observation !== "string") addRest(words, "Details", observation, new Set(["message", "code"]));
  addValue(words, "Tool", tool_name);
  addValue(words, "Input", tool_input);
  addValue(words, "Result", tool_output);
}

function addOther(words: EntryWords, entry: LogEntry): void {
  const { message_type, observation, thought, tool_name, tool_input, tool_output } = entry;
  const inputUsed = new Set<string>();
  const resultUsed = new Set<string>();
  if (message_type === "USER_MESSAGE") {
    const origin = fieldsOf(tool_input);
    const session = textField(origin, "session");
    words.turn = numberField(origin, "turn");
    if (words.turn !== null) inputUsed.add("turn");
    if (session !== null) {
      words.facts.push(`${session} session`);
      inputUsed.add("session");
    }
  }
  if (message_type === "PLAN_EVALUATION" && Array.isArray(fieldsOf(tool_output).plan) && isChecklist(thought)) {
    // The thought is the same plan as a checklist.
    words.title = "Plan";
    resultUsed.add("plan");
  }
  if (typeof observation === "string") words.blocks.push(prose(observation));
  else if (fieldsOf(observation).kind === "interruption") {
    words.title = "Interrupted";
    words.blocks.push(literal(null, textField(fieldsOf(observation), "message") ?? "The turn was interrupted."));
  } else addValue(words, "Observation", observation);
  addValue(words, "Tool", tool_name);
  addRest(words, "Input", tool_input, inputUsed);
  addRest(words, "Result", tool_output, resultUsed);
}

function isChecklist(text: string | null): boolean {
  return text !== null && /^[-*] \[[ xX~-]\] /.test(text);
}

type Change = { path: string; oldText: string | null; newText: string };

const changeFields =
  "file_path filePath path old_string new_string old_str new_str oldText newText content edits".split(" ");

function reportedChange(value: unknown): Change[] {
  const { path, oldText, newText } = fieldsOf(value);
  if (typeof path !== "string" || typeof newText !== "string") return [];
  return [{ path, newText, oldText: typeof oldText === "string" ? oldText : null }];
}

function wantedChanges(input: Record<string, unknown>): Change[] {
  const path = textField(input, "file_path", "filePath", "path");
  if (path === null) return [];
  const edits = Array.isArray(input.edits) ? input.edits.map(fieldsOf) : [input];
  const changes = edits.flatMap((edit): Change[] => {
    const oldText = edit.old_string ?? edit.old_str ?? edit.oldText;
    const newText = edit.new_string ?? edit.new_str ?? edit.newText;
    return typeof oldText === "string" && typeof newText === "string" ? [{ path, oldText, newText }] : [];
  });
  // An edit that is not understood must not vanish with those that are.
  if (changes.length === edits.length) return changes;
  return typeof input.content === "string" && !Array.isArray(input.edits)
    ? [{ path, oldText: null, newText: input.content }]
    : [];
}

function commandOf(value: unknown): string | null {
  if (typeof value === "string" && value.trim() !== "") return value;
  if (!Array.isArray(value) || value.length === 0 || !value.every((word) => typeof word === "string")) return null;
  return value.map((word) => (/^[\w./:=@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(" ");
}

/** What of a value was not shown elsewhere, where anything is left. */
function addRest(words: EntryWords, label: string, value: unknown, used: ReadonlySet<string>): void {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    addValue(words, label, value);
    return;
  }
  const rest = Object.entries(value).filter(([name]) => !used.has(name));
  if (rest.length > 0) words.blocks.push(literal(label, jsonText(Object.fromEntries(rest)), "json"));
}

function addValue(words: EntryWords, label: string, value: unknown): void {
  if (value === null || value === undefined) return;
  words.blocks.push(typeof value === "string" ? literal(label, value) : literal(label, jsonText(value), "json"));
}

function prose(text: string): Block {
  return { kind: "prose", label: null, language: "markdown", text };
}

function literal(label: string | null, text: string, language = "text"): Block {
  return { kind: "text", label, language, text };
}
