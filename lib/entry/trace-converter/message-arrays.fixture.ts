import { fieldsOf } from "#lib/contract/json-fields.ts";
import type { NewEntry } from "#lib/contract/logs/entry.ts";
import { arrayOf, parsedArguments, TraceBuilder, wordsOf } from "./trace-builder.fixture.ts";

/** Arrays of chat messages: one run, a LiteLLM log with its response, or tau-bench's runs. */
export function messageArrayRuns(text: string): { name: string; entries: NewEntry[] }[] {
  const file: unknown = JSON.parse(text);
  if (!Array.isArray(file)) {
    const { messages, response } = fieldsOf(file);
    const answers = arrayOf(fieldsOf(response).choices).map((choice) => fieldsOf(choice).message);
    return [{ name: "1", entries: chatEntries([...arrayOf(messages), ...answers]) }];
  }
  if (!file.some((value) => "traj" in fieldsOf(value))) return [{ name: "1", entries: chatEntries(file) }];
  return file
    .map(fieldsOf)
    .map(({ task_id, traj }) => ({ name: String(task_id), entries: chatEntries(arrayOf(traj)) }));
}

function chatEntries(messages: readonly unknown[]): NewEntry[] {
  const builder = new TraceBuilder();
  for (const { role, content, tool_calls, tool_call_id } of messages.map(fieldsOf)) {
    if (role === "user") builder.person(content);
    else if (role === "tool") builder.answer(String(tool_call_id), content);
    else if (role === "assistant") {
      builder.says(wordsOf(content));
      for (const call of arrayOf(tool_calls).map(fieldsOf)) {
        const { name, arguments: input } = fieldsOf(call.function);
        builder.call({ id: String(call.id), name: String(name), input: parsedArguments(input) });
      }
    }
  }
  return builder.finish();
}
