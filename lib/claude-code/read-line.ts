import { fieldsOf, textField } from "#lib/contract/json-fields.ts";
import { plainEntry, timeOf } from "./line-entry.ts";
import { readAssistant } from "./read-assistant.ts";
import { readAttachment, readUser } from "./read-user.ts";
import type { MessageUsage, ReadLine, SessionPlace, SessionStep } from "./session-step.ts";

/**
 * Reads one line of a Claude Code session file: a JSON object, of any version. The format is internal to Claude Code and
 * changes with it, so every field is checked before use, and a line of an unknown type is left out, never refused. `now` is the
 * time of lines without one, an ISO instant.
 */
export function readLine(line: Record<string, unknown>, now: string): ReadLine {
  const at = timeOf(line.timestamp, now);
  const { steps, leftOut } = stepsOf(line, at);
  const message = fieldsOf(line.message);
  const isAnswer = line.type === "assistant";
  const model = isAnswer && line.isSidechain !== true ? textField(message, "model") : null;
  return {
    steps,
    leftOut: steps.some(({ kind }) => kind !== "rest") ? null : leftOut,
    usage: isAnswer ? usageOf(message) : null,
    model: model === "<synthetic>" ? null : (model?.slice(0, 200) ?? null),
    place: placeOf(line),
  };
}

type Read = { steps: SessionStep[]; leftOut: string };

function stepsOf(line: Record<string, unknown>, at: string): Read {
  switch (line.type) {
    case "user":
      return readUser(line, at);
    case "assistant":
      return readAssistant(line, at);
    case "attachment":
      return readAttachment(line, at);
    case "system":
      return readSystem(line, at);
    case "pr-link":
      return readPullRequest(line, at);
    default:
      return { steps: [], leftOut: reasons.get(String(line.type)) ?? "its type is not known" };
  }
}

const title = "it names the session";
const state = "it tells a state of the terminal";
const reasons = new Map<string, string>([
  ["summary", title],
  ["ai-title", title],
  ["custom-title", title],
  ["agent-name", title],
  ["progress", "it reports on a call that continues"],
  ["file-history-snapshot", "it notes files for undoing"],
  ["queue-operation", "it lists what waits in the terminal; what was sent has a line of its own"],
  ["last-prompt", state],
  ["mode", state],
  ["permission-mode", state],
  ["bridge-session", state],
]);

function readSystem(line: Record<string, unknown>, at: string): Read {
  const content = textField(line, "content");
  const metadata = fieldsOf(line.compactMetadata);
  switch (line.subtype) {
    case "api_error": {
      const message =
        textField(fieldsOf(line.error), "message") ?? content ?? "The model's API answered with an error.";
      return one({ kind: "entry", entry: errorEntry(message, line.error, at) });
    }
    case "compact_boundary": {
      const before = typeof metadata.preTokens === "number" ? ` It had ${metadata.preTokens} tokens.` : "";
      return one({
        kind: "entry",
        entry: plainEntry("PLAN_EVALUATION", at, { thought: `The context was compacted.${before}` }),
      });
    }
    case "model_refusal_fallback":
      if (content === null) break;
      return one({ kind: "entry", entry: plainEntry("PLAN_EVALUATION", at, { thought: content }) });
  }
  if (line.level === "error" && content !== null) {
    return one({ kind: "entry", entry: errorEntry(content, undefined, at) });
  }
  const isRest = line.subtype === "turn_duration" || line.subtype === "stop_hook_summary";
  return { steps: isRest ? [{ kind: "rest" }] : [], leftOut: "it is a note of the terminal" };
}

function readPullRequest(line: Record<string, unknown>, at: string): Read {
  const url = textField(line, "prUrl");
  if (url === null) return { steps: [], leftOut: "it names no pull request" };
  const observation = { url, ...(typeof line.prNumber === "number" ? { number: line.prNumber } : {}) };
  return one({ kind: "entry", entry: plainEntry("AGENT_RUN_LINK", at, { observation }) });
}

function errorEntry(message: string, data: unknown, at: string) {
  return plainEntry("ERROR", at, { observation: { message, ...(data === undefined ? {} : { data }) } });
}

function one(step: SessionStep): Read {
  return { steps: [step], leftOut: "" };
}

/** Tokens as the run counts them: cache reads and writes are input. */
function usageOf(message: Record<string, unknown>): MessageUsage | null {
  const usage = fieldsOf(message.usage);
  const messageId = textField(message, "id")?.slice(0, 200) ?? null;
  const count = (name: string) => {
    const value = usage[name];
    return typeof value === "number" && Number.isSafeInteger(value) && value > 0 && value < 1e12 ? value : 0;
  };
  const input = count("input_tokens") + count("cache_creation_input_tokens") + count("cache_read_input_tokens");
  const output = count("output_tokens");
  return messageId === null || input + output === 0 ? null : { messageId, input, output };
}

function placeOf(line: Record<string, unknown>): SessionPlace {
  const cut = (...names: string[]) => textField(line, ...names)?.slice(0, 1_000);
  const place = {
    cwd: cut("cwd"),
    git_branch: cut("gitBranch"),
    version: cut("version"),
    title: cut("aiTitle", ...(line.type === "summary" ? ["summary"] : [])),
    custom_title: cut("customTitle"),
  };
  return Object.fromEntries(Object.entries(place).filter(([, value]) => value !== undefined));
}
