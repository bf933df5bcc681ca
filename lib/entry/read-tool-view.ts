import { fieldsOf, textField } from "#lib/contract/json-fields.ts";
import { onlyCallIn } from "./script-call.ts";
import type { ToolCall } from "./tool-call.ts";
import { kindOfName, kindOfShape, type SpecificKind } from "./tool-kinds.ts";
import type { ToolKind, ToolView } from "./tool-view.ts";
import { viewReaders, viewsByShape } from "./view-readers.ts";

/** View of a tool call: by the shape of its input if that is telling, then by its name, then by whatever the input contains. */
export function toolViewOf(given: ToolCall): ToolView {
  const tool = innerCallOf(given);
  const input = inputFields(tool.tool_input);
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

/** An input that is a single text is called `input`, like where an object is required. */
function inputFields(toolInput: unknown): Record<string, unknown> {
  return typeof toolInput === "string" ? { input: toolInput } : fieldsOf(toolInput);
}

/** The one call of a script that codex's `exec` runs, with the result of the script; any other call as it is. */
export function innerCallOf(tool: ToolCall): ToolCall {
  if (tool.tool_name !== "exec") return tool;
  const script = textField(inputFields(tool.tool_input), "input", "code", "script");
  const only = script === null ? null : onlyCallIn(script);
  return only === null || only.name === "exec"
    ? tool
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
