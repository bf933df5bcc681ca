import { promptCharactersMax } from "#lib/contract/bounds.ts";
import { fieldsOf, textField } from "#lib/contract/json-fields.ts";
import { cutText } from "#lib/cut-text.ts";
import { interruptionOf } from "#lib/entry/interruption.ts";
import { messageTextOf, personTextOf } from "#lib/entry/person-text.ts";
import { plainEntry } from "./line-entry.ts";
import { resultOf } from "./read-result.ts";
import type { SessionStep } from "./session-step.ts";

type Read = { steps: SessionStep[]; leftOut: string };

/** A line in the person's name: their words, results of calls, and what Claude Code adds in their name. */
export function readUser(line: Record<string, unknown>, at: string): Read {
  const { content } = fieldsOf(line.message);
  if (line.isCompactSummary === true) {
    return thought(messageTextOf(content) ?? "", at);
  }
  const steps: SessionStep[] = [];
  const said: unknown[] = [];
  for (const value of Array.isArray(content) ? content : [content]) {
    const block = fieldsOf(value);
    if (textField(block, "type")?.endsWith("tool_result")) steps.push(...resultOf(line, block, at));
    else said.push(value);
  }
  if (line.isMeta === true) return { steps, leftOut: "it was put in by Claude Code, in the person's name" };
  const message = said.filter((value) => !isEmpty(value));
  if (message.length === 0) return { steps, leftOut: "it is empty" };
  const [first] = message;
  const observation = message.length === 1 && typeof first === "string" ? first : textOrBlocks(message);
  if (line.isSidechain === true) {
    const task = thought(`Task of a subagent:\n\n${messageTextOf(observation) ?? "An image."}`, at);
    return { ...task, steps: [...steps, ...task.steps] };
  }
  steps.push(promptStep(observation, at));
  return { steps, leftOut: "" };
}

/** Messages outside the conversation. Only what the person sent while the agent was working is part of it. */
export function readAttachment(line: Record<string, unknown>, at: string): Read {
  const { type, prompt } = fieldsOf(line.attachment);
  if (type !== "queued_command") return { steps: [], leftOut: "it was put in by Claude Code, beside the conversation" };
  const message = (Array.isArray(prompt) ? prompt : [prompt]).filter((value) => !isEmpty(value));
  if (message.length === 0) return { steps: [], leftOut: "it is empty" };
  const observation = typeof prompt === "string" ? prompt : textOrBlocks(message);
  // The agent had not ended: it continues the same turn.
  const step = promptStep(observation, at);
  return { steps: [step.kind === "prompt" ? { ...step, opens: false } : step], leftOut: "" };
}

function promptStep(observation: string | Record<string, unknown>, at: string): SessionStep {
  const entry = plainEntry("USER_MESSAGE", at, { observation });
  if (interruptionOf(observation) !== null) return { kind: "prompt", entry, text: null, opens: false };
  const whole = messageTextOf(observation) ?? "";
  const own = personTextOf(whole).text;
  const text = own === "" ? commandIn(whole) : own;
  const hasImage = typeof observation !== "string";
  const named = text ?? (hasImage && whole === "" ? "An image" : null);
  return { kind: "prompt", entry, text: storable(named), opens: own !== "" || (hasImage && whole === "") };
}

/** `/name arguments` if a message is a command for the agent; null for commands of the terminal itself. */
function commandIn(text: string): string | null {
  const name = /<command-name>\s*(\/?[^\s<]+)\s*<\/command-name>/.exec(text)?.[1];
  if (name === undefined || ofTerminal.has(name.replace(/^\//, ""))) return null;
  const start = text.indexOf("<command-args>");
  const end = start === -1 ? -1 : text.indexOf("</command-args>", start);
  const given = end === -1 ? "" : text.slice(start + "<command-args>".length, end).trim();
  return given === "" ? name : `${name} ${given}`;
}

const ofTerminal = new Set(
  (
    "add-dir agents clear compact config context cost doctor exit export help hooks ide login logout mcp memory model " +
    "output-style permissions plugin quit release-notes rename resume rewind sandbox skills stats status statusline " +
    "tasks terminal-setup theme todos upgrade usage vim"
  ).split(" "),
);

/** A prompt as the store accepts it: no NUL, no lone surrogate, bounded. */
function storable(text: string | null): string | null {
  if (text === null) return null;
  const clean = cutText(text.replaceAll("\u0000", ""), promptCharactersMax).trim();
  return clean === "" ? null : clean;
}

function textOrBlocks(blocks: unknown[]): string | Record<string, unknown> {
  const [only] = blocks;
  const { type, text } = fieldsOf(only);
  return blocks.length === 1 && type === "text" && typeof text === "string" ? text : { content: blocks };
}

function isEmpty(value: unknown): boolean {
  if (typeof value === "string") return value.trim() === "";
  const { type, text } = fieldsOf(value);
  return type === undefined || (type === "text" && (typeof text !== "string" || text.trim() === ""));
}

function thought(text: string, at: string): Read {
  if (text.trim() === "") return { steps: [], leftOut: "it is empty" };
  return { steps: [{ kind: "entry", entry: plainEntry("PLAN_EVALUATION", at, { thought: text }) }], leftOut: "" };
}
