import { fieldsOf, textField } from "#lib/contract/json-fields.ts";
import type { FileChange } from "./file-changes.ts";
import type { PlanStep } from "./plan.ts";
import type { AskedQuestion } from "./question.ts";
import { onlyCallIn } from "./script-call.ts";
import { shortPath } from "./short-path.ts";
import type { ToolCall } from "./tool-call.ts";
import { kindOfName, kindOfShape, type SpecificKind } from "./tool-kinds.ts";
import { viewReaders, viewsByShape } from "./view-readers.ts";

/** What a tool does, and the parts of its input that readers want to see. Every text is the agent's own. */
export type ToolView =
  | {
      kind: "shell";
      /** The command, without the shell that starts it. Empty if a call only waits for an earlier one. */
      command: string;
      /** The agent's words for the command's purpose; null if there are none or they repeat the command. */
      description: string | null;
      /** Working folder; null if unknown. */
      cwd: string | null;
      /** Id of the session (codex's session_id or cell_id) whose command this call continues; null for a new command. */
      continues: string | null;
      /** Language of a script, for highlighting. */
      language: "sh" | "javascript" | "python";
    }
  | {
      kind: "edit";
      /** Changed files, with several changes of a file in a row. */
      changes: FileChange[];
      /** The patch as written if its format is unknown, so that `changes` is empty; otherwise null. */
      patch: string | null;
      /** The file, if nothing else is known of the change; otherwise null. */
      path: string | null;
    }
  | { kind: "read"; path: string; firstLine: number | null }
  | { kind: "search"; query: string; where: string | null }
  | { kind: "list"; path: string }
  | {
      kind: "fetch";
      url: string;
      /** What the agent wanted to know about the page; null if it only fetched it. */
      prompt: string | null;
    }
  | {
      kind: "plan";
      /** Steps to show as a checklist; one step if the call adds or changes one (TaskCreate, TaskUpdate). */
      steps: PlanStep[];
      /** The agent's words besides the plan; null if there are none. */
      explanation: string | null;
    }
  | {
      kind: "agent";
      /** Kind of agent that was started ("general", "Explore"); null if the call does not say. */
      agent: string | null;
      title: string | null;
      /** The agent's instructions, in Markdown; null if the call only waits for agents. Its result is Markdown too. */
      prompt: string | null;
    }
  | { kind: "question"; questions: AskedQuestion[] }
  | { kind: "think"; text: string }
  /** A tool by which an agent gives its answer (finish, submit); `text` is Markdown. */
  | { kind: "answer"; text: string }
  | {
      kind: "browser";
      /** The action: navigate, click, screenshot … */
      action: string;
      /** Its target: an address, an element, a text; null if there is none. */
      target: string | null;
    }
  | {
      kind: "generic";
      /** First short text of the input, for the card's one line; null if there is none. */
      title: string | null;
    };

export type ToolKind = ToolView["kind"];

/** View of a tool call: by the shape of its input if that is telling, then by its name, then by whatever the input contains. */
export function toolViewOf(tool: ToolCall): ToolView {
  const input = inputFields(tool.tool_input);
  const inner = callInScript(tool, input);
  if (inner !== null) return toolViewOf(inner);
  const output = fieldsOf(tool.tool_output);
  const named = kindOfShape(input) ?? kindOfName(tool.tool_name);
  const order: readonly SpecificKind[] = named === null ? viewsByShape : [named, ...viewsByShape];
  for (const kind of order) {
    const view = viewReaders[kind]({ input, output, call: tool, isNamed: kind === named });
    if (view !== null) return view;
  }
  return { kind: "generic", title: titleIn(input) };
}

/** A tool's kind by its name alone; generic if the name says nothing. */
export function toolKindOf(toolName: string | null): ToolKind {
  return kindOfName(toolName) ?? "generic";
}

/** The one argument that matters, in one line. */
export function headlineOf(view: ToolView): string {
  switch (view.kind) {
    case "shell":
      return firstLineOf(view.command);
    case "edit": {
      const paths = [...new Set(view.changes.map((change) => shortPath(change.path)))];
      const [first] = paths;
      if (first === undefined) return view.path === null ? firstLineOf(view.patch ?? "") : shortPath(view.path);
      return paths.length === 1 ? first : `${first} and ${paths.length - 1} more`;
    }
    case "read":
    case "list":
      return shortPath(view.path);
    case "search":
      return view.where === null ? view.query : `${view.query} in ${shortPath(view.where)}`;
    case "fetch":
      return view.url;
    case "plan":
      return planHeadline(view.steps);
    case "agent":
      return firstLineOf(view.title ?? view.prompt ?? view.agent ?? "");
    case "question":
      return firstLineOf(view.questions[0]?.text ?? "");
    case "think":
    case "answer":
      return firstLineOf(view.text);
    case "browser":
      return view.target === null ? view.action : `${view.action} ${firstLineOf(view.target)}`;
    case "generic":
      return firstLineOf(view.title ?? "");
  }
}

/** An input that is one text is called `input`, as where it has to be an object. */
function inputFields(toolInput: unknown): Record<string, unknown> {
  return typeof toolInput === "string" ? { input: toolInput } : fieldsOf(toolInput);
}

/** The one call of a script that codex's `exec` runs, with the result of the script; null for any other call. */
function callInScript(tool: ToolCall, input: Record<string, unknown>): ToolCall | null {
  if (tool.tool_name !== "exec") return null;
  const script = textField(input, "input", "code", "script");
  const only = script === null ? null : onlyCallIn(script);
  return only === null || only.name === "exec"
    ? null
    : { tool_name: only.name, tool_input: only.argument, tool_output: tool.tool_output };
}

const titleCharactersMax = 200;

/** The first short text of an input: what it is called, else whatever stands first. */
function titleIn(input: Record<string, unknown>): string | null {
  const named = textField(input, "title", "description", "name", "prompt", "subject", "query");
  if (named !== null) return named;
  const short = (value: unknown) =>
    typeof value === "string" && value.trim() !== "" && value.length <= titleCharactersMax;
  const first = Object.values(input).find(short);
  return typeof first === "string" ? first : null;
}

function planHeadline(steps: readonly PlanStep[]): string {
  const [only] = steps;
  if (steps.length === 1 && only !== undefined) return firstLineOf(only.text);
  return `${steps.filter(({ state }) => state === "done").length} of ${steps.length} done`;
}

function firstLineOf(text: string): string {
  return text.trimStart().split("\n", 1)[0]?.slice(0, 400) ?? "";
}
