import { populationProblem } from "#lib/contract/logs/entry.ts";

const entryFields = ["thought", "tool_name", "tool_input", "tool_output", "observation"] as const;
const nothing = { thought: null, tool_name: null, tool_input: null, tool_output: null, observation: null };
/** An empty text counts as missing. */
const everything = { thought: "x", tool_name: "x", tool_input: {}, tool_output: {}, observation: "x" };

/** Required fields of an entry of this type, derived from the rules themselves. */
export function requiredFields(message_type: string): string[] {
  if (populationProblem({ ...nothing, message_type }) === null) return [];
  return entryFields.filter((field) => populationProblem({ ...everything, message_type, [field]: null }) !== null);
}
