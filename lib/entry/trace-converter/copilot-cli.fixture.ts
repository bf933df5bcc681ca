import { fieldsOf } from "#lib/contract/json-fields.ts";
import type { NewEntry } from "#lib/contract/logs/entry.ts";
import { jsonLines, TraceBuilder } from "./trace-builder.fixture.ts";

/** A session of Copilot CLI. */
export function copilotCliEntries(text: string): NewEntry[] {
  const builder = new TraceBuilder();
  for (const { type, data, timestamp } of jsonLines(text)) {
    const fields = fieldsOf(data);
    if (type === "user.message") builder.person(String(fields.content), timestamp);
    else if (type === "assistant.message") builder.says(String(fields.content ?? ""), timestamp);
    else if (type === "tool.execution_start") {
      const { toolCallId, toolName, arguments: input } = fields;
      builder.call({ id: String(toolCallId), name: String(toolName), input, time: timestamp });
    } else if (type === "tool.execution_complete") {
      const { toolCallId, ...output } = fields;
      builder.answer(String(toolCallId), output);
    }
  }
  return builder.finish();
}
