import { MessageType } from "#lib/contract/logs/entry.ts";
import type { LogFilter } from "#lib/contract/logs/log-filter.ts";
import type { TextHolder } from "#lib/entry/entry-text.ts";
import type { ToolKind } from "#lib/entry/tool-view.ts";

/**
 * What a link without tool output shows of a field. Everything not named here is hidden.
 * - `shown`: all of it, at any depth; `text`: a text, number or yes/no; `number`: a number or yes/no; `word`: one word
 * - `command`: a command without what it carries for files and programs (lib/entry/bare-command.ts)
 * - `message`: a person's words, without what checks printed and what a harness added
 * - `input`: by the kind of the tool, see {@link sharedInputs}
 * - `hidden`: nothing
 * - a list: of each element, by its rule (and of a single value, too); fields: those of an object; `$`: if it is no object
 */
export type Shown =
  | "shown"
  | "text"
  | "number"
  | "word"
  | "command"
  | "message"
  | "input"
  | "hidden"
  | readonly [Shown]
  | { readonly [field: string]: Shown };

/** What a link without tool output shows of an entry, by field. */
export type SharedRow = Record<keyof TextHolder, Shown>;

type Fields = { readonly [field: string]: Shown };

/** The same rule for several fields. */
const each = (shown: Shown, names: string): Fields => Object.fromEntries(names.split(" ").map((name) => [name, shown]));
const text = (names: string) => each("text", names);
const number = (names: string) => each("number", names);
const word = (names: string) => each("word", names);

/** How a call ended. */
const ending: Fields = { ...word("status"), ...number("exit_code duration_ms") };
const quiet = { thought: "text", tool_name: "text", tool_input: number("turn"), tool_output: ending } as const;

const step: Fields = {
  ...text("$ content step subject title text task description activeForm id"),
  ...{ ...word("status state"), ...number("done") },
};
const check: Fields = { ...text("name"), ...word("status conclusion"), ...number("duration_ms") };

/** A message type that is not known: a later version may have written it. */
export const unknownRow: SharedRow = { ...quiet, observation: "hidden" };

/** By message type. Of AGENT_RUN_LINK no link shows more, not even one with tool output: another run is not part of what is shared. */
export const sharedRows: Record<MessageType, SharedRow> = {
  ACTION: { ...quiet, tool_input: "input", observation: "hidden" },
  PLAN_EVALUATION: {
    ...quiet,
    tool_input: { ...number("turn"), ...text("section"), seqs: ["number"] },
    // A plan is the agent's own words, like its checklist.
    tool_output: { ...ending, plan: [step] },
    observation: "shown",
  },
  FINAL_ANSWER: { ...quiet, observation: "shown" },
  ERROR: { ...quiet, observation: text("$ code message") },
  USER_MESSAGE: {
    ...quiet,
    tool_input: {
      ...{ ...number("turn message during_turn images"), ...word("session"), ...text("notice"), mcp_servers: ["text"] },
      // The text is a file's content; the size stays.
      attachments: [{ ...text("name media_type"), ...number("bytes") }],
    },
    observation: "message",
  },
  USER_GITHUB_ISSUE_COMMENT: {
    ...quiet,
    observation: { ...text("$ host author permission kind title url path body"), ...number("line") },
  },
  INITIAL_PR_GENERATION: {
    ...quiet,
    observation: { ...text("$ url title body branch base commit"), ...number("number draft reused") },
  },
  DETECT_PR_ERRORS: {
    ...quiet,
    observation: { ...number("round"), ...text("commit"), ...each(["text"], "failing ignored"), checks: [check] },
  },
  FIX_PR_ERRORS: { ...quiet, observation: { ...text("$"), ...number("round of turn"), failing: ["text"] } },
  PR_CREATION_FAILED: { ...quiet, observation: { ...text("$ code message hint"), ...number("status") } },
  PR_EVALUATION: {
    ...quiet,
    observation: { ...text("$ reason url"), ...word("verdict"), ...number("rounds number"), checks: [check] },
  },
  COMMIT_EVALUATION: {
    ...quiet,
    observation: {
      ...{ ...text("$ commit base"), ...word("verdict"), ...number("behind files insertions deletions") },
      findings: [{ ...word("rule"), ...text("path detail"), ...number("line refuses") }],
    },
  },
  AGENT_RUN_LINK: {
    ...{ thought: "text", tool_name: "hidden", tool_input: "hidden", tool_output: "hidden", observation: "hidden" },
  },
};

/** Whether links hide the tool's name of entries of this type. */
export const hidesTool = (type: string) =>
  (sharedRows as Partial<Record<string, SharedRow>>)[type]?.tool_name === "hidden";

/** A filter on what a link shows: an entry is not found by a tool that it hides, or whose name it masks. */
export function sharedFilter<F extends Pick<LogFilter, "message_type" | "tool_name">>(
  filter: F,
  isMasked: (text: string) => boolean,
): F {
  if (filter.tool_name === undefined) return filter;
  const types = isMasked(filter.tool_name) ? [] : (filter.message_type ?? MessageType.options);
  return { ...filter, message_type: types.filter((type) => !hidesTool(type)) };
}

/** Kinds of tools as links know them: also a script, whose source is content; an MCP server's tool; a notice of this service. */
export type SharedKind = ToolKind | "script" | "mcp" | "notice";

const paths: Fields = {
  ...text("file_path filePath path absolute_path AbsolutePath absolutePath target_file TargetFile notebook_path"),
  ...{ ...text("relative_path filename file"), paths: ["text"] },
};
const folders = text("dir_path directory DirectoryPath dir cwd workdir working_directory Cwd");
const session: Fields = { ...text("session_id cell_id description"), ...number("yield_time_ms timeout") };
const option = text("$ label name text value description");
const question: Fields = {
  ...{ ...text("$ question text prompt message header title"), ...number("multiSelect multiple") },
  ...each([option], "options choices"),
};

/** What a link without tool output shows of a tool's input, by kind: what the agent did, not what it wrote or sent. */
export const sharedInputs: Record<SharedKind, Fields> = {
  shell: { ...each("command", "command cmd script keystrokes code input"), ...session, ...folders },
  script: { ...session, ...folders },
  // And `changed_files`, made for the link: the files of the change, by name and status.
  edit: { ...paths, ...word("command"), ...number("insert_line replace_all") },
  read: {
    ...{ ...paths, ...each("command", "command"), view_range: ["number"] },
    ...number("offset limit start_line StartLine line_number"),
  },
  search: {
    ...text("pattern query regex glob search search_term SearchTerm file_name input"),
    ...{ ...paths, ...folders, search_query: [text("q")], command: "command" },
  },
  list: { ...paths, ...folders },
  fetch: { ...text("url uri Url"), open: [text("ref_id url")] },
  plan: {
    ...{ ...each([step], "todos plan items"), ...word("status") },
    ...text("explanation description subject title taskId task_id id"),
  },
  // Its instructions often quote what the agent has read.
  agent: {
    ...text("subagent_type agent_type agent agent_name description title target id"),
    ...each(["text"], "targets ids"),
  },
  question: { ...question, questions: [question], answers: "shown" },
  think: text("thought content text reasoning"),
  answer: { ...text("message final_thought answer result submission plan summary"), command: "command" },
  // Not the text that it types.
  browser: { ...text("action url selector ref element query element_id"), ...number("index") },
  generic: {},
  mcp: {},
  notice: text("notice"),
};
