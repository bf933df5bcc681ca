import { fieldsOf, textField } from "#lib/contract/json-fields.ts";
import { toolNameMax } from "#lib/contract/logs/entry.ts";
import { cutText } from "#lib/cut-text.ts";
import { plainEntry } from "./line-entry.ts";
import { callId, resultOf } from "./read-result.ts";
import type { SessionStep } from "./session-step.ts";

/** What the model said, thought and called. Words of a subagent are never the session's answer. */
export function readAssistant(line: Record<string, unknown>, at: string): { steps: SessionStep[]; leftOut: string } {
  const message = fieldsOf(line.message);
  const content = typeof message.content === "string" ? [{ type: "text", text: message.content }] : message.content;
  const blocks: unknown[] = Array.isArray(content) ? content : [];
  // Before the words, which are no answer if anything follows them.
  const steps = blocks.filter((block) => fieldsOf(block).type === "image").map((block) => imageIn(fieldsOf(block), at));
  for (const value of blocks) {
    const block = fieldsOf(value);
    const type = textField(block, "type") ?? "";
    if (type === "text") steps.push(...wordsIn(line, textField(block, "text") ?? "", message.stop_reason, at));
    else if (type === "thinking") steps.push(...thoughtIn(textField(block, "thinking") ?? "", at));
    else if (type === "tool_use" || type.endsWith("_tool_use")) steps.push(callIn(block, at));
    else if (type.endsWith("tool_result")) steps.push(...resultOf(line, block, at));
  }
  const last = steps.findLastIndex(({ kind }) => kind === "said");
  const corrected = steps.map((step, place) =>
    step.kind === "said" && place !== last ? { ...step, isLast: false } : step,
  );
  return { steps: corrected, leftOut: blocks.length === 0 ? "it is empty" : "its words are empty or cannot be read" };
}

function wordsIn(line: Record<string, unknown>, text: string, stopReason: unknown, at: string): SessionStep[] {
  if (text.trim() === "") return [];
  if (line.isApiErrorMessage === true) {
    return [{ kind: "entry", entry: plainEntry("ERROR", at, { observation: { message: text } }) }];
  }
  if (line.isSidechain === true) return thoughtIn(text, at);
  const isLast = typeof stopReason === "string" ? stopReason !== "tool_use" && stopReason !== "pause_turn" : null;
  return [{ kind: "said", text, at, isLast }];
}

function imageIn(block: Record<string, unknown>, at: string): SessionStep {
  const shown = { thought: "An image.", observation: { content: [block] } };
  return { kind: "entry", entry: plainEntry("PLAN_EVALUATION", at, shown) };
}

function thoughtIn(text: string, at: string): SessionStep[] {
  if (text.trim() === "") return [];
  return [{ kind: "entry", entry: plainEntry("PLAN_EVALUATION", at, { thought: text }) }];
}

function callIn(block: Record<string, unknown>, at: string): SessionStep {
  const { input: given } = block;
  const isObject = typeof given === "object" && given !== null && !Array.isArray(given);
  const input = isObject ? fieldsOf(given) : given === undefined || given === null ? {} : { input: given };
  const id = callId(textField(block, "id") ?? "");
  const name = cutText((textField(block, "name") ?? "").replaceAll("\u0000", ""), toolNameMax) || "tool";
  if (id !== "") return { kind: "call", id, name, input, at };
  // Without an id, no result can refer to it.
  return { kind: "entry", entry: plainEntry("ACTION", at, { tool_name: name, tool_input: input, tool_output: {} }) };
}
