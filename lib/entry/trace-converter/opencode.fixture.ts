import { fieldsOf } from "#lib/contract/json-fields.ts";
import type { NewEntry } from "#lib/contract/logs/entry.ts";
import { arrayOf, TraceBuilder } from "./trace-builder.fixture.ts";

/** A session that `opencode export` wrote. */
export function opencodeEntries(text: string): NewEntry[] {
  const builder = new TraceBuilder();
  for (const value of arrayOf(fieldsOf(JSON.parse(text)).messages)) {
    const { info, parts } = fieldsOf(value);
    const { role, time, error } = fieldsOf(info);
    const created = fieldsOf(time).created;
    for (const part of arrayOf(parts)) readPart(builder, fieldsOf(part), String(role), created);
    if (error !== undefined) builder.error(String(fieldsOf(error).name ?? "error"), error, created);
  }
  return builder.finish();
}

function readPart(builder: TraceBuilder, part: Record<string, unknown>, role: string, created: unknown): void {
  const time = fieldsOf(part.time).start ?? created;
  if (part.type === "text" && role === "user") {
    if (part.synthetic !== true) builder.person(String(part.text), time);
  } else if (part.type === "text") builder.says(String(part.text), time);
  else if (part.type === "reasoning") builder.thinks(String(part.text), time);
  else if (part.type === "tool") {
    const { input, ...output } = fieldsOf(part.state);
    const id = String(part.callID);
    builder.call({ id, name: String(part.tool), input, time: fieldsOf(output.time).start ?? time });
    if (output.status === "completed" || output.status === "error") builder.answer(id, output);
  } else if (part.type === "subtask") builder.link({ title: part.description, prompt: part.prompt }, time);
}
