import { fieldsOf } from "#lib/contract/json-fields.ts";
import type { NewEntry } from "#lib/contract/logs/entry.ts";
import { arrayOf, TraceBuilder, wordsOf } from "./trace-builder.fixture.ts";

/** A trajectory in the Agent Trajectory Interchange Format. */
export function atifEntries(text: string): NewEntry[] {
  const builder = new TraceBuilder();
  for (const value of arrayOf(fieldsOf(JSON.parse(text)).steps)) {
    const step = fieldsOf(value);
    // Steps that a file repeats from the one before it are skipped.
    if (step.is_copied_context === true) continue;
    const time = step.timestamp;
    if (typeof step.reasoning_content === "string") builder.thinks(step.reasoning_content, time);
    if (step.source === "user") builder.person(step.message, time);
    else if (step.source === "agent") builder.says(wordsOf(step.message), time);
    else builder.thinks(wordsOf(step.message), time);
    const calls = arrayOf(step.tool_calls).map(fieldsOf);
    for (const { tool_call_id, function_name, arguments: input } of calls) {
      builder.call({ id: String(tool_call_id), name: String(function_name), input, time });
    }
    readResults(builder, calls, arrayOf(fieldsOf(step.observation).results).map(fieldsOf), time);
  }
  return builder.finish();
}

function readResults(
  builder: TraceBuilder,
  calls: readonly Record<string, unknown>[],
  results: readonly Record<string, unknown>[],
  time: unknown,
): void {
  for (const [place, { source_call_id, content, subagent_trajectory_ref }] of results.entries()) {
    for (const link of arrayOf(subagent_trajectory_ref)) builder.link(fieldsOf(link), time);
    if (content === undefined) continue;
    const id = source_call_id ?? calls[place]?.tool_call_id;
    const isAnswer =
      id !== undefined && builder.answer(String(id), typeof content === "string" ? { content } : content);
    // A terminal without calls contributes what it printed.
    if (!isAnswer) builder.thinks(wordsOf(content), time);
  }
}
