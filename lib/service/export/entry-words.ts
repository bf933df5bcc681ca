import { parseExactJson } from "#lib/contract/exact-json.ts";
import { fieldsOf, numberField, textField } from "#lib/contract/json-fields.ts";
import { LogEntry, type MessageType } from "#lib/contract/logs/entry.ts";
import { attachedFilesOf } from "#lib/entry/attached-files.ts";
import { imageSourcesOf } from "#lib/entry/image-sources.ts";
import { entryTitleOf } from "#lib/entry/labels.ts";
import { isFailed } from "#lib/entry/outcome.ts";
import { messageTextOf } from "#lib/entry/person-text.ts";
import { planOf } from "#lib/entry/plan.ts";
import { pullEntryOf, pullHeadline } from "#lib/entry/pull-entry.ts";
import { serverNamesOf } from "#lib/entry/server-names.ts";
import { plainTerminalText } from "#lib/entry/terminal-text.ts";
import { type Block, imageBlock, literal, prose, restBlocks, valueBlocks } from "./block.ts";
import { toolWords } from "./tool-words.ts";

/** An entry's content, in reading order. */
export type EntryWords = {
  seq: number;
  createdAt: string;
  /** Number of the turn that begins with this entry, or null. */
  turn: number | null;
  title: string;
  /** One-line subject: a path, a command's purpose. Empty if there is none. */
  about: string;
  facts: string[];
  isError: boolean;
  blocks: Block[];
};

/** Renders a stored entry as text; fields without a separate place are included as JSON. */
export function entryWords(body: string): EntryWords {
  const entry = LogEntry.parse(parseExactJson(body));
  const words: EntryWords = {
    seq: entry.seq,
    createdAt: entry.created_at,
    turn: null,
    title: entryTitleOf(entry),
    about: "",
    facts: [],
    isError: isFailed(entry),
    blocks: [],
  };
  const add = Object.hasOwn(adders, entry.message_type) ? adders[entry.message_type as MessageType] : addOther;
  add(words, entry);
  return words;
}

type Add = (words: EntryWords, entry: LogEntry) => void;

const adders: Record<MessageType, Add> = {
  ACTION: addTool,
  PLAN_EVALUATION: addOther,
  FINAL_ANSWER: addOther,
  ERROR: addError,
  USER_MESSAGE: addMessage,
  USER_GITHUB_ISSUE_COMMENT: addPull,
  INITIAL_PR_GENERATION: addPull,
  DETECT_PR_ERRORS: addPull,
  FIX_PR_ERRORS: addPull,
  PR_CREATION_FAILED: addPull,
  PR_EVALUATION: addPull,
  COMMIT_EVALUATION: addPull,
  AGENT_RUN_LINK: addOther,
};

function addThought(words: EntryWords, { thought }: LogEntry): void {
  if (thought !== null && thought !== "") words.blocks.push(prose(thought));
}

function addTool(words: EntryWords, entry: LogEntry): void {
  addThought(words, entry);
  const { title, about, facts, blocks } = toolWords(entry);
  words.title = title;
  words.about = about;
  words.facts.push(...facts);
  words.blocks.push(...blocks, ...valueBlocks("Observation", entry.observation));
}

function addError(words: EntryWords, entry: LogEntry): void {
  const { observation, tool_name, tool_input, tool_output } = entry;
  const fields = fieldsOf(observation);
  const message = typeof observation === "string" ? observation : textField(fields, "message");
  words.about = textField(fields, "code") ?? "";
  if (message !== null) words.blocks.push(literal(null, plainTerminalText(message)));
  if (typeof observation !== "string") {
    words.blocks.push(...restBlocks("Details", observation, new Set(["message", "code"])));
  }
  words.blocks.push(
    ...valueBlocks("Tool", tool_name),
    ...valueBlocks("Input", tool_input),
    ...valueBlocks("Result", tool_output),
  );
  addThought(words, entry);
}

/** A person's message: its turn, what it brought with it, its words and its files. */
function addMessage(words: EntryWords, entry: LogEntry): void {
  const { tool_input } = entry;
  const inputUsed = new Set<string>();
  const attached: Block[] = [];
  const origin = fieldsOf(tool_input);
  const session = textField(origin, "session");
  words.turn = numberField(origin, "turn");
  if (words.turn !== null) inputUsed.add("turn");
  const during = numberField(origin, "during_turn");
  if (during !== null) {
    words.facts.push(`during turn ${during}`);
    for (const name of ["during_turn", "message"]) inputUsed.add(name);
  }
  if (session !== null) {
    words.facts.push(`${session} session`);
    inputUsed.add("session");
  }
  const servers = serverNamesOf(tool_input);
  if (servers.length > 0) {
    words.facts.push(`MCP servers: ${servers.join(", ")}`);
    inputUsed.add("mcp_servers");
  }
  const files = attachedFilesOf(tool_input);
  const { attachments } = origin;
  // If one of them cannot be read, all are shown as they are.
  if (Array.isArray(attachments) && attachments.length === files.length) {
    inputUsed.add("attachments");
    attached.push(...files.map(({ name, mediaType, text }) => literal(`Attached file ${name} (${mediaType})`, text)));
  }
  addFields(words, entry, [...observationBlocks(entry.observation), ...attached], inputUsed);
}

/** A step of the work on a pull request. */
function addPull(words: EntryWords, entry: LogEntry): void {
  const pull = pullEntryOf(entry);
  if (pull !== null) words.about = pullHeadline(pull);
  const { observation } = entry;
  addFields(
    words,
    entry,
    pull?.kind === "comment" ? commentBlocks(observation, pull.body) : observationBlocks(observation),
  );
}

function addOther(words: EntryWords, entry: LogEntry): void {
  addFields(words, entry, observationBlocks(entry.observation));
}

/** The thought, what was said, and the fields that are not used for it. */
function addFields(
  words: EntryWords,
  entry: LogEntry,
  said: Block[],
  inputUsed: ReadonlySet<string> = new Set(),
): void {
  const { thought, tool_name, tool_input, tool_output } = entry;
  // The thought repeats the plan as a checklist.
  const isPlan = Array.isArray(fieldsOf(tool_output).plan) && planOf(thought ?? "") !== null;
  addThought(words, entry);
  words.blocks.push(
    ...said,
    ...valueBlocks("Tool", tool_name),
    ...restBlocks("Input", tool_input, inputUsed),
    ...restBlocks("Result", tool_output, new Set(isPlan ? ["plan"] : [])),
  );
}

/** A person's words on a code host, then where they said them. */
function commentBlocks(observation: unknown, body: string): Block[] {
  return [prose(body), ...restBlocks("Comment", observation, new Set(["body"]))];
}

/** A message as text or as content blocks with their images; anything else as JSON. */
function observationBlocks(observation: unknown): Block[] {
  if (typeof observation === "string") return [prose(observation)];
  const fields = fieldsOf(observation);
  if (fields.kind === "interruption") {
    return [literal(null, textField(fields, "message") ?? "The turn was interrupted.")];
  }
  const onlyContent = Object.keys(fields).every((name) => name === "content" || name === "text");
  const text = onlyContent ? messageTextOf(observation) : null;
  if (text === null) return valueBlocks("Observation", observation);
  return [prose(text), ...imageSourcesOf(observation).map(imageBlock)];
}
