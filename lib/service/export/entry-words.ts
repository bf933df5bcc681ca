import { LogEntry } from "#lib/contract/entry.ts";
import { fieldsOf, numberField, textField } from "#lib/contract/json-fields.ts";
import { attachedFilesOf } from "#lib/entry/attached-files.ts";
import { imageSourcesOf } from "#lib/entry/image-sources.ts";
import { entryTitleOf } from "#lib/entry/labels.ts";
import { isFailed } from "#lib/entry/outcome.ts";
import { messageTextOf } from "#lib/entry/person-text.ts";
import { planOf } from "#lib/entry/plan.ts";
import { pullEntryOf, pullHeadline } from "#lib/entry/pull-entry.ts";
import { serverNamesOf } from "#lib/entry/server-names.ts";
import { type Block, imageBlock, literal, prose, restBlocks, valueBlocks } from "./block.ts";
import { toolWords } from "./tool-words.ts";

/** An entry's content, in reading order. */
export type EntryWords = {
  seq: number;
  createdAt: string;
  /** Number of the turn, if one begins with this entry. */
  turn: number | null;
  title: string;
  /** One-line subject: a path, a command's purpose. Empty if there is none. */
  about: string;
  facts: string[];
  isError: boolean;
  blocks: Block[];
};

/** Renders a stored entry as text; fields without a place of their own are included as JSON. */
export function entryWords(body: string): EntryWords {
  const entry = LogEntry.parse(JSON.parse(body));
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
  if (entry.message_type === "ERROR") addError(words, entry);
  if (entry.thought !== null && entry.thought !== "") words.blocks.push(prose(entry.thought));
  if (entry.message_type === "ACTION") addTool(words, entry);
  else if (entry.message_type !== "ERROR") addOther(words, entry);
  return words;
}

function addTool(words: EntryWords, entry: LogEntry): void {
  const { title, about, facts, blocks } = toolWords(entry);
  words.title = title;
  words.about = about;
  words.facts.push(...facts);
  words.blocks.push(...blocks, ...valueBlocks("Observation", entry.observation));
}

function addError(words: EntryWords, { observation, tool_name, tool_input, tool_output }: LogEntry): void {
  const fields = fieldsOf(observation);
  const message = typeof observation === "string" ? observation : textField(fields, "message");
  words.about = textField(fields, "code") ?? "";
  if (message !== null) words.blocks.push(literal(null, message));
  if (typeof observation !== "string") {
    words.blocks.push(...restBlocks("Details", observation, new Set(["message", "code"])));
  }
  words.blocks.push(
    ...valueBlocks("Tool", tool_name),
    ...valueBlocks("Input", tool_input),
    ...valueBlocks("Result", tool_output),
  );
}

function addOther(words: EntryWords, entry: LogEntry): void {
  const { message_type, observation, thought, tool_name, tool_input, tool_output } = entry;
  const inputUsed = new Set<string>();
  const attached: Block[] = [];
  const resultUsed = new Set<string>();
  if (message_type === "USER_MESSAGE") {
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
    // Where one of them cannot be read, all are shown as they are.
    if (Array.isArray(attachments) && attachments.length === files.length) {
      inputUsed.add("attachments");
      attached.push(...files.map(({ name, mediaType, text }) => literal(`Attached file ${name} (${mediaType})`, text)));
    }
  }
  const pull = pullEntryOf(entry);
  if (pull !== null) words.about = pullHeadline(pull);
  // The thought repeats the checklist.
  if (Array.isArray(fieldsOf(tool_output).plan) && planOf(thought ?? "") !== null) resultUsed.add("plan");
  words.blocks.push(
    ...(pull?.kind === "comment" ? commentBlocks(observation, pull.body) : observationBlocks(observation)),
    ...attached,
    ...valueBlocks("Tool", tool_name),
    ...restBlocks("Input", tool_input, inputUsed),
    ...restBlocks("Result", tool_output, resultUsed),
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
