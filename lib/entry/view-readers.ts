import { fieldsOf, idOf, stringField, textField } from "#lib/contract/json-fields.ts";
import { changesOfPatch, hiddenChanges, inputPath, reportedChanges, wantedChanges } from "./file-changes.ts";
import { lineEditOf } from "./line-edit.ts";
import { planOfItems, stateOfWord } from "./plan.ts";
import { questionsOf } from "./question.ts";
import { commandText, patchIn } from "./shell-command.ts";
import type { ToolCall } from "./tool-call.ts";
import type { SpecificKind } from "./tool-kinds.ts";
import { toolNameOf } from "./tool-name.ts";
import type { ToolView } from "./tool-view.ts";

/** A call's input and output as fields, and whether its name or shape says that it has the reader's kind. */
export type ReadCall = {
  input: Record<string, unknown>;
  output: Record<string, unknown>;
  call: ToolCall;
  isNamed: boolean;
};

/** Without a known name, the first that fits; the least demanding ones come last. */
export const viewsByShape: readonly SpecificKind[] = ["shell", "edit", "fetch", "search"];

/** Reads a call as one of a kind; null if it lacks what a view of that kind needs. */
export const viewReaders: Record<SpecificKind, (read: ReadCall) => ToolView | null> = {
  shell({ input, call, isNamed }) {
    const continues = idOf(input.session_id ?? input.cell_id);
    const code = isNamed ? textField(input, "code", "input") : null;
    const command = commandText(input.command ?? input.cmd ?? input.script ?? input.keystrokes ?? input.chars) ?? code;
    if (command === null && (continues === null || !isNamed)) return null;
    const description = textField(input, "description");
    return {
      kind: "shell",
      command: command ?? "",
      description: description === command ? null : description,
      cwd: textField(input, "cwd", "workdir", "working_directory", "dir_path", "Cwd"),
      continues,
      language: command === code ? scriptLanguage(call.tool_name ?? "") : "sh",
    };
  },

  edit({ input, output, isNamed }) {
    const path = inputPath(input);
    const known = (changes: Extract<ToolView, { kind: "edit" }>["changes"]): ToolView | null =>
      changes.length === 0 ? null : { kind: "edit", changes, patch: null, path: null };
    const hidden = known(hiddenChanges(input));
    if (hidden !== null) return hidden;
    const changed = known(reportedChanges(output)) ?? known(wantedChanges(input, isNamed));
    if (changed !== null) return changed;
    const own = isNamed ? textField(input, "content", "input", "CodeContent") : textField(input, "input");
    const patch = patchIn(input.command ?? input.cmd) ?? textField(input, "patch", "patchText", "diff") ?? own;
    if (patch !== null) {
      const patched = changesOfPatch(patch, path);
      if (patched.length > 0) return { kind: "edit", changes: patched, patch: null, path: null };
      if (isNamed || own === null) return { kind: "edit", changes: [], patch, path };
    }
    if (!isNamed) return null;
    const line = lineEditOf(input, output);
    return line === null && path === null
      ? null
      : { kind: "edit", changes: line === null ? [] : [line], patch: null, path };
  },

  read({ input }) {
    const [first] = Array.isArray(input.paths) ? input.paths : [];
    const path = inputPath(input) ?? textField({ first }, "first") ?? wordsOf(input.command)[1] ?? null;
    if (path === null) return null;
    const range = Array.isArray(input.view_range) ? input.view_range[0] : undefined;
    const offset = input.offset ?? input.start_line ?? input.StartLine ?? input.line_number ?? range;
    return { kind: "read", path, firstLine: typeof offset === "number" && offset > 0 ? offset : null };
  },

  search({ input, isNamed }) {
    const [asked] = Array.isArray(input.search_query) ? input.search_query.map(fieldsOf) : [];
    const query =
      textField(input, "pattern", "query", "regex", "glob", "search", "search_term", "SearchTerm") ??
      (asked === undefined ? null : textField(asked, "q")) ??
      (isNamed ? (textField(input, "file_name", "input") ?? wordsOf(input.command)[1] ?? null) : null);
    const where = inputPath(input) ?? textField(input, "dir_path", "directory", "dir", "cwd");
    if (query !== null) return { kind: "search", query, where };
    return isNamed && where !== null ? { kind: "search", query: where, where: null } : null;
  },

  list({ input }) {
    return {
      kind: "list",
      path: inputPath(input) ?? textField(input, "dir_path", "directory", "DirectoryPath") ?? ".",
    };
  },

  fetch({ input }) {
    const [opened] = Array.isArray(input.open) ? input.open.map(fieldsOf) : [];
    const url =
      textField(input, "url", "uri", "Url") ?? (opened === undefined ? null : textField(opened, "ref_id", "url"));
    return url === null ? null : { kind: "fetch", url, prompt: textField(input, "prompt") };
  },

  plan({ input }) {
    const explanation = textField(input, "explanation", "description");
    const steps = planOfItems(input.todos ?? input.plan ?? input.items);
    if (steps !== null) return { kind: "plan", steps, explanation };
    const task = idOf(input.taskId ?? input.task_id ?? input.id);
    const named = task === null ? null : `Task ${task}`;
    const text = textField(input, "subject", "title") ?? named;
    if (text === null)
      return Array.isArray(input.todos ?? input.plan) ? { kind: "plan", steps: [], explanation } : null;
    return { kind: "plan", steps: [{ id: 0, text, state: stateOfWord(textField(input, "status")) }], explanation };
  },

  agent({ input, isNamed }) {
    const prompt = textField(input, "prompt", "message", "task", "instructions");
    const agent = textField(input, "subagent_type", "agent_type", "agent", "agent_name");
    const waited = [input.targets, input.ids].find(Array.isArray);
    const waiting =
      waited === undefined ? null : `Wait for ${waited.length === 1 ? "one agent" : `${waited.length} agents`}`;
    const title = textField(input, "description", "title") ?? waiting ?? textField(input, "target", "id");
    if (prompt === null && agent === null && (title === null || !isNamed)) return null;
    return { kind: "agent", agent, title, prompt };
  },

  question({ input, call }) {
    const questions = questionsOf(input, call.tool_output);
    return questions.length === 0 ? null : { kind: "question", questions };
  },

  think({ input }) {
    const text = textField(input, "thought", "content", "text", "reasoning");
    return text === null ? null : { kind: "think", text };
  },

  answer({ input, isNamed }) {
    const named = stringField(input, "message", "final_thought", "answer", "result", "submission", "plan", "summary");
    const command = stringField(input, "command");
    const text = named ?? (command === null ? null : command.replace(/^submit\s*/, ""));
    return text === null && !isNamed ? null : { kind: "answer", text: text ?? "" };
  },

  browser({ input, call }) {
    const named = toolNameOf(call.tool_name).name.replace(/^(?:web_)?browser_?/i, "");
    const action = textField(input, "action") ?? (named || "browse");
    const id = idOf(input.element_id ?? input.index);
    const element = id === null ? null : `element ${id}`;
    const target = textField(input, "url", "selector", "ref", "element", "text", "query", "browser_actions") ?? element;
    return { kind: "browser", action, target };
  },
};

/** Language of the text that a tool takes instead of a command. */
export function scriptLanguage(toolName: string): "sh" | "javascript" | "python" {
  if (/python/i.test(toolName)) return "python";
  return toolName === "exec" ? "javascript" : "sh";
}

/** Words of an action written as one line: `open "a b.py" 12`. */
function wordsOf(command: unknown): string[] {
  const line = typeof command === "string" ? (command.split("\n", 1)[0] ?? "") : "";
  return Array.from(
    line.slice(0, 2_000).matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g),
    ([, double, single, plain]) => double ?? single ?? plain ?? "",
  );
}
