import { fieldsOf } from "#lib/contract/json-fields.ts";
import type { NewEntry } from "#lib/contract/logs/entry.ts";
import { arrayOf, jsonLines, TraceBuilder } from "./trace-builder.fixture.ts";

/** A session file of pi. */
export function piEntries(text: string): NewEntry[] {
  const builder = new TraceBuilder();
  for (const { type, message: value, timestamp } of jsonLines(text)) {
    if (type !== "message") continue;
    const message = fieldsOf(value);
    if (message.role === "user") builder.person(message.content, timestamp);
    else if (message.role === "toolResult") {
      const { content, details, isError } = message;
      builder.answer(String(message.toolCallId), { content, isError, ...(details === undefined ? {} : { details }) });
    } else if (message.role === "assistant") readAssistant(builder, message, timestamp);
  }
  return builder.finish();
}

function readAssistant(builder: TraceBuilder, message: Record<string, unknown>, time: unknown): void {
  for (const value of arrayOf(message.content)) {
    const block = fieldsOf(value);
    if (block.type === "text") builder.says(String(block.text), time);
    else if (block.type === "thinking") builder.thinks(String(block.thinking), time);
    else if (block.type === "toolCall") {
      builder.call({ id: String(block.id), name: String(block.name), input: block.arguments, time });
    }
  }
  if (typeof message.errorMessage === "string") builder.error(message.errorMessage, undefined, time);
}
