import { fieldsOf } from "#lib/contract/json-fields.ts";
import type { NewEntry } from "#lib/contract/logs/entry.ts";
import { arrayOf, jsonLines, parsedArguments, TraceBuilder, wordsOf } from "./trace-builder.fixture.ts";

/** Codex's rollout files. A call replayed by a fork is the earlier call. */
export function codexEntries(text: string): NewEntry[] {
  const builder = new TraceBuilder();
  const seen = new Set<string>();
  for (const { type, payload, timestamp } of jsonLines(text)) {
    const item = fieldsOf(payload);
    if (type === "event_msg") readEvent(builder, item, timestamp);
    else if (type === "response_item") readItem(builder, item, timestamp, seen);
    else if (type === "compacted") builder.thinks(String(item.message || "The context was compacted."), timestamp);
  }
  return builder.finish();
}

function readEvent(builder: TraceBuilder, event: Record<string, unknown>, time: unknown): void {
  const { type, call_id, ...more } = event;
  switch (type) {
    case "user_message": {
      const images = [...arrayOf(event.images), ...arrayOf(event.local_images)];
      builder.person(images.length === 0 ? event.message : [{ type: "text", text: event.message }, ...images], time);
      break;
    }
    case "agent_message":
      builder.says(String(event.message ?? ""), time);
      break;
    case "agent_reasoning":
      builder.thinks(String(event.text ?? ""), time);
      break;
    case "turn_aborted":
    case "error":
      builder.error(String(event.message ?? event.reason ?? type), undefined, time);
      break;
    case "exec_command_end":
    case "patch_apply_end":
    case "mcp_tool_call_end":
      builder.addToOutput(String(call_id), more);
      break;
    default:
  }
}

function readItem(builder: TraceBuilder, item: Record<string, unknown>, time: unknown, seen: Set<string>): void {
  const type = String(item.type);
  const id = typeof item.call_id === "string" ? item.call_id : null;
  if (type === "reasoning") {
    builder.thinks(wordsOf(item.summary), time);
  } else if (type.endsWith("_output")) {
    const { output, tools, status } = item;
    builder.answer(id, output === undefined ? { tools, status } : outputOf(output));
  } else if (type.endsWith("_call")) {
    if (id !== null && seen.has(id)) return;
    if (id !== null) seen.add(id);
    const input = item.arguments ?? item.input ?? item.action;
    const parsed = type === "custom_tool_call" ? input : parsedArguments(input);
    builder.call({ id, name: String(item.name ?? type), input: parsed, time });
  }
}

/** An output is a text, parts, or JSON in a text with `output` and `metadata`. */
function outputOf(output: unknown): unknown {
  const parsed = typeof output === "string" && output.startsWith("{") ? parsedArguments(output) : output;
  return typeof parsed === "object" && parsed !== null ? parsed : { output };
}
