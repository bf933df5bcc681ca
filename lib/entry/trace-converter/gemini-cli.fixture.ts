import { fieldsOf } from "#lib/contract/json-fields.ts";
import type { NewEntry } from "#lib/contract/logs/entry.ts";
import { arrayOf, TraceBuilder, wordsOf } from "./trace-builder.fixture.ts";

/** A chat file of Gemini CLI. */
export function geminiCliEntries(text: string): NewEntry[] {
  const builder = new TraceBuilder();
  for (const value of arrayOf(fieldsOf(JSON.parse(text)).messages)) {
    const message = fieldsOf(value);
    const time = message.timestamp;
    if (message.type === "user") builder.person(message.content, time);
    else if (message.type === "error") builder.error(wordsOf(message.content), undefined, time);
    else if (message.type === "gemini") {
      for (const thought of arrayOf(message.thoughts)) {
        const { subject, description, timestamp } = fieldsOf(thought);
        builder.thinks(`**${String(subject)}** ${String(description)}`, timestamp);
      }
      builder.says(wordsOf(message.content), time);
      for (const call of arrayOf(message.toolCalls)) {
        const { id, name, args, timestamp, displayName, description, renderOutputAsMarkdown, ...output } =
          fieldsOf(call);
        builder.call({ id: String(id), name: String(name), input: args, time: timestamp });
        if (output.result !== undefined || output.status !== undefined) builder.answer(String(id), output);
      }
    }
  }
  return builder.finish();
}
