import { toolViewOf } from "./read-tool-view.ts";

type Call = { readonly tool_name?: unknown; readonly tool_input?: unknown };

/** Whether the output of this call is read as a terminal's: all but that of reads and edits. */
export function showsTerminal({ tool_name = null, tool_input = null }: Call): boolean {
  if (tool_name === null) return true;
  const { kind } = toolViewOf({ tool_name: String(tool_name), tool_input, tool_output: null });
  return kind !== "read" && kind !== "edit";
}
