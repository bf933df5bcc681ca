import type { Payload } from "./hostile-payloads.ts";

/** An entry as POST logs takes it. */
export type ReportedEntry = Record<string, unknown> & { message_type: string };

const noticeTypes = [
  "USER_GITHUB_ISSUE_COMMENT",
  "INITIAL_PR_GENERATION",
  "PR_CREATION_FAILED",
  "COMMIT_EVALUATION",
  "AGENT_RUN_LINK",
  "FINAL_ANSWER",
  "ERROR",
];

/** Number of entries that {@link entriesWith} makes of one payload. */
export const entriesOfPayload = 4;

/** Entries that hold a short payload in every field, by name and by value; `index` chooses the kinds of tool and notice. */
export function entriesWith({ text }: Payload, index: number): ReportedEntry[] {
  const name = text.slice(0, 200) || "empty";
  const at = <Value>(values: readonly Value[]) => values[index % values.length] as Value;
  return [
    // Consecutive reads and searches would be one folded group.
    {
      message_type: "ACTION",
      tool_name: "Grep",
      tool_input: { pattern: text, path: text },
      tool_output: { output: text },
    },
    {
      message_type: at(noticeTypes),
      observation: { title: text, message: text, code: text, url: text, html_url: text, [text]: text, data: [text] },
    },
    {
      message_type: "ACTION",
      thought: text,
      observation: text,
      ...at([
        { tool_name: name, tool_input: { [text]: text, list: [text, { [text]: text }] } },
        { tool_name: "Bash", tool_input: { command: text, description: text } },
        { tool_name: "Edit", tool_input: { file_path: text, old_string: "one\ntwo", new_string: `one\n${text}` } },
        { tool_name: "Read", tool_input: { file_path: text } },
        { tool_name: "WebFetch", tool_input: { url: text } },
        { tool_name: "apply_patch", tool_input: { input: text } },
      ]),
      tool_output: { output: text, status: text, [text]: text },
    },
    at([
      { message_type: "FINAL_ANSWER", observation: text },
      { message_type: "ERROR", observation: text },
      { message_type: "USER_MESSAGE", observation: text, tool_input: { turn: 2, session: text, notice: text } },
      { message_type: "PLAN_EVALUATION", thought: `- [ ] ${text}\n- [x] ${text}` },
      { message_type: "PR_EVALUATION", observation: text, thought: text },
    ]),
  ];
}

/** Entries that hold a long payload in one field each. */
export function entriesWithLong({ text }: Payload): ReportedEntry[] {
  return [
    { message_type: "FINAL_ANSWER", observation: text },
    { message_type: "ACTION", tool_name: "Bash", tool_input: { command: "x" }, tool_output: { output: text } },
    { message_type: "ACTION", tool_name: "Lookup", tool_input: { text }, tool_output: { status: "completed" } },
    { message_type: "ERROR", observation: { message: "It failed", data: { text } } },
    {
      message_type: "ACTION",
      tool_name: "Edit",
      tool_input: { file_path: "a.ts", old_string: text.slice(0, text.length / 2), new_string: text },
      tool_output: { status: "completed" },
    },
  ];
}
