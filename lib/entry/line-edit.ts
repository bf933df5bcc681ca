import { fieldsOf, numberField, stringField, textField } from "#lib/contract/json-fields.ts";
import { type FileChange, inputPath, textChange } from "./file-changes.ts";

/**
 * Change by an editor that works on the lines of an open file, as SWE-agent's `edit 12:14` and `create a.py`, given as a
 * command or as fields; the open file is in the state beside the output, and the path is empty if it is missing. Null for any
 * other call.
 */
export function lineEditOf(input: Record<string, unknown>, output: Record<string, unknown>): FileChange | null {
  const command = stringField(input, "command");
  const created = command === null ? null : (/^create\s+(\S.*)$/.exec(command.trimEnd())?.[1] ?? null);
  if (created !== null) return textChange(created, null, "", 1);
  const path = inputPath(input) ?? openFileOf(output) ?? "";
  const [, first, rest] = /^edit\s+(\d+)(?:[^\d\n][^\n]*)?\n([\s\S]*)$/.exec(command ?? "") ?? [];
  if (first !== undefined && rest !== undefined) {
    return textChange(path, null, rest.replace(/\n?end_of_edit\s*$/, "\n"), Number(first), "modified");
  }
  const [search, replace] = [stringField(input, "search"), stringField(input, "replace")];
  if (search !== null && replace !== null) return textChange(path, search, replace, null);
  const text = stringField(input, "replacement_text");
  const line = numberField(input, "start_line");
  return text === null || line === null ? null : textChange(path, null, text, line, "modified");
}

/** The file open in SWE-agent, from `state`, which old versions write as JSON in a text. */
function openFileOf({ state }: Record<string, unknown>): string | null {
  let value = state;
  if (typeof state === "string" && state.length < 10_000) {
    try {
      value = JSON.parse(state);
    } catch {
      return null;
    }
  }
  const path = textField(fieldsOf(value), "open_file");
  return path === "n/a" ? null : path;
}
