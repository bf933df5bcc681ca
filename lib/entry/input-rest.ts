import { fieldsOf } from "#lib/contract/json-fields.ts";
import type { ToolView } from "./tool-view.ts";

const namesOf = (names: string) => new Set(names.split(" "));
const commandNames = namesOf("command cmd script keystrokes chars description");
const changeNames = namesOf(
  "file_path filePath path absolute_path AbsolutePath absolutePath target_file TargetFile notebook_path relative_path filename file " +
    "old_string oldString old_str oldText new_string newString new_str newText content contents file_text text new_source code_edit " +
    "CodeContent edits patch patchText diff insert_line replacement_text start_line end_line",
);
const patchNames = new Set([...changeNames, "input", "command", "cmd"]);
const planNames = namesOf("todos plan items");
const agentNames = namesOf("prompt message task instructions description");
const saidNames = namesOf("thought content text reasoning message final_thought answer result submission plan summary");
const questionNames = namesOf("questions question options choices answers header title text prompt message");
const none: ReadonlySet<string> = new Set();

/** Names of the input's fields that have a place of their own on the card, by what the call does. */
export function shownInputNames(view: ToolView): ReadonlySet<string> {
  switch (view.kind) {
    case "shell":
      return commandNames;
    case "edit":
      if (view.changes.length === 0) return none;
      return view.changes.some(({ source }) => "hunks" in source) ? patchNames : changeNames;
    case "plan":
      return planNames;
    case "agent":
      return agentNames;
    case "question":
      return questionNames;
    case "think":
    case "answer":
      return view.text === "" ? none : saidNames;
    default:
      return none;
  }
}

/**
 * Fields of a call's input that its card does not show anywhere else: neither by their name nor as one of the words of the view;
 * null if there are none. Nulls and empty strings do not count.
 */
export function inputRest(view: ToolView, input: unknown): Record<string, unknown> | null {
  if (typeof input !== "object" || input === null || Array.isArray(input) || view.kind === "generic") return null;
  const names = shownInputNames(view);
  const words = new Set<unknown>();
  visit(view, (word) => words.add(word));
  const isShown = (value: unknown) => words.has(typeof value === "string" ? value.trim() : value);
  const rest = Object.entries(fieldsOf(input)).filter(
    ([name, value]) => !names.has(name) && value !== null && value !== "" && !isShown(value),
  );
  return rest.length === 0 ? null : Object.fromEntries(rest);
}

function visit(value: unknown, add: (word: unknown) => void): void {
  if (typeof value === "string") add(value.trim());
  else if (typeof value === "number") add(value);
  else if (typeof value === "object" && value !== null) for (const inner of Object.values(value)) visit(inner, add);
}
