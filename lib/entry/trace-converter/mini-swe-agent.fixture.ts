import { fieldsOf } from "#lib/contract/json-fields.ts";
import type { NewEntry } from "#lib/contract/logs/entry.ts";
import { arrayOf, TraceBuilder, wordsOf } from "./trace-builder.fixture.ts";

/** A trajectory of mini-swe-agent: one command in a fence per message, answered by the next one. */
export function miniSweAgentEntries(text: string): NewEntry[] {
  const file: unknown = JSON.parse(text);
  const messages = arrayOf(Array.isArray(file) ? file : fieldsOf(file).messages).map(fieldsOf);
  const builder = new TraceBuilder();
  let isFirst = true;
  let isOpen = false;
  for (const { role, content, extra } of messages) {
    const words = wordsOf(content);
    const time = fieldsOf(fieldsOf(extra).response).created ?? fieldsOf(extra).timestamp;
    if (role === "user" && isFirst) {
      builder.person(content, time);
      isFirst = false;
    } else if (role === "user" && isOpen) {
      builder.answer(null, words);
      isOpen = false;
    } else if (role === "assistant") {
      const fenced = /```(?:bash|mswea_bash_command)\n([\s\S]*?)\n?```/.exec(words);
      if (fenced === null) builder.says(words, time);
      else {
        const thought = words.slice(0, fenced.index).trim() || null;
        builder.call({ id: null, name: "bash", input: { command: fenced[1] ?? "" }, time, thought });
        isOpen = true;
      }
    }
  }
  return builder.finish();
}
