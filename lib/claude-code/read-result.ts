import { textField } from "#lib/contract/json-fields.ts";
import { toolCallIdMax } from "#lib/contract/logs/entry.ts";
import { cutText } from "#lib/cut-text.ts";
import type { SessionStep } from "./session-step.ts";

/**
 * Result of a call: `{text}` or `{content}` as the model got it, `is_error` if the line says so, and Claude Code's own record
 * (`toolUseResult`). Empty if it refers to no call.
 */
export function resultOf(line: Record<string, unknown>, block: Record<string, unknown>, at: string): SessionStep[] {
  const id = textField(block, "tool_use_id");
  if (id === null) return [];
  const { content, is_error } = block;
  const output = {
    ...(typeof content === "string" ? { text: content } : { content: content ?? null }),
    ...(is_error === undefined || is_error === null ? {} : { is_error }),
    ...(line.toolUseResult === undefined ? {} : { toolUseResult: line.toolUseResult }),
  };
  return [{ kind: "result", id: callId(id), output, at }];
}

/** A call's id as entries have it. */
export function callId(id: string): string {
  return cutText(id.replaceAll("\u0000", ""), toolCallIdMax);
}
