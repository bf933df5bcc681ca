import { ExactNumber } from "#lib/contract/exact-json.ts";
import { fieldsOf, textField } from "#lib/contract/json-fields.ts";
import { bareCommand } from "#lib/entry/bare-command.ts";
import { withoutCheckOutput } from "#lib/entry/checks-said.ts";
import { visitValues } from "#lib/entry/entry-text.ts";
import { interruptionOf } from "#lib/entry/interruption.ts";
import { messageTextOf, personTextOf } from "#lib/entry/person-text.ts";
import { innerCallOf, toolViewOf } from "#lib/entry/read-tool-view.ts";
import { commandText } from "#lib/entry/shell-command.ts";
import type { ToolCall } from "#lib/entry/tool-call.ts";
import { kindOfName } from "#lib/entry/tool-kinds.ts";
import { toolNameOf } from "#lib/entry/tool-name.ts";
import type { ToolView } from "#lib/entry/tool-view.ts";
import { scriptLanguage } from "#lib/entry/view-readers.ts";
import { type SharedKind, type Shown, sharedInputs } from "./shared-fields.ts";

/** What a rule leaves of a value; undefined if nothing. */
export function shownOf(shown: Shown, value: unknown): unknown {
  if (value === null || value === undefined || shown === "hidden") return undefined;
  if (shown === "shown") return value;
  const isNumber = typeof value === "number" || typeof value === "boolean" || value instanceof ExactNumber;
  if (shown === "number") return isNumber ? value : undefined;
  if (shown === "text") return isNumber || typeof value === "string" ? value : undefined;
  if (shown === "word") return isNumber || (typeof value === "string" && /^\w{1,40}$/.test(value)) ? value : undefined;
  if (shown === "command") return shownCommand(value);
  if (shown === "message") return shownMessage(value);
  if (shown === "input") return undefined;
  if (isList(shown)) {
    const [rule] = shown;
    return Array.isArray(value) ? value.flatMap((one) => shownOf(rule, one) ?? []) : shownOf(rule, value);
  }
  if (typeof value !== "object" || Array.isArray(value)) return shown.$ && shownOf(shown.$, value);
  const fields = fieldsOf(value);
  const left = Object.keys(shown).flatMap((name) => {
    const rule = shown[name];
    const one = rule !== undefined && Object.hasOwn(fields, name) ? shownOf(rule, fields[name]) : undefined;
    return one === undefined ? [] : [[name, one]];
  });
  return Object.fromEntries(left);
}

const isList = (shown: Shown): shown is readonly [Shown] => Array.isArray(shown);

function shownCommand(value: unknown): string | undefined {
  const command = commandText(value);
  return command === null ? undefined : bareCommand(command);
}

/** What a harness adds in a person's name is no word of theirs, except the commands that they gave it. */
function shownMessage(value: unknown): unknown {
  if (interruptionOf(value) !== null) return shownOf({ kind: "word", message: "text" }, value);
  const words = messageTextOf(value);
  if (words === null) return undefined;
  const { text, injected } = personTextOf(words);
  const own = injected.filter(({ tag }) => tag === "bash-input" || tag.startsWith("command-"));
  return [...own.map((one) => `<${one.tag}>${one.text}</${one.tag}>`), withoutCheckOutput(text)].join("\n").trim();
}

/** What a link without tool output shows of a call's input; `input_hidden` counts the characters that it leaves out. */
export function sharedInput(tool: ToolCall): { tool_input: Record<string, unknown>; input_hidden?: number } {
  const call = innerCallOf(tool);
  const view = toolViewOf(call);
  const input = typeof call.tool_input === "string" ? { input: call.tool_input } : call.tool_input;
  const shown = fieldsOf(shownOf(sharedInputs[kindOf(call, fieldsOf(input), view)], input));
  const hidden = charactersIn(tool.tool_input) - charactersIn(shown);
  const tool_input = view.kind === "edit" ? { ...shown, ...changedFiles(view) } : shown;
  return hidden > 0 ? { tool_input, input_hidden: hidden } : { tool_input };
}

function kindOf({ tool_name }: ToolCall, input: Record<string, unknown>, view: ToolView): SharedKind {
  if (tool_name === "errand") return "notice";
  if (toolNameOf(tool_name).server !== null) return "mcp";
  const isScript = scriptLanguage(tool_name ?? "") !== "sh" && textField(input, "code", "input") !== null;
  if (view.kind === "shell" && isScript) return "script";
  // A query may be anything, unless the tool is known to search.
  return view.kind === "search" && kindOfName(tool_name) === null ? "generic" : view.kind;
}

/** Files of an edit whose texts are hidden, as the card reads them. */
function changedFiles({ changes }: Extract<ToolView, { kind: "edit" }>): object {
  const files = new Map(changes.map(({ path, oldPath, status }) => [path, { path, old_path: oldPath, status }]));
  return files.size === 0 ? {} : { changed_files: [...files.values()] };
}

function charactersIn(tool_input: unknown): number {
  const texts: string[] = [];
  visitValues({ tool_input }, (text) => texts.push(text) > 0);
  return texts.join("").length;
}
