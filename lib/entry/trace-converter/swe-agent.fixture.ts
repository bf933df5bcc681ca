import { fieldsOf } from "#lib/contract/json-fields.ts";
import type { NewEntry } from "#lib/contract/logs/entry.ts";
import { arrayOf, parsedArguments, TraceBuilder, wordsOf } from "./trace-builder.fixture.ts";

/** A trajectory of SWE-agent: its steps, or only a history in demonstrations. */
export function sweAgentEntries(text: string): NewEntry[] {
  const file = fieldsOf(JSON.parse(text));
  const history = arrayOf(file.history).map(fieldsOf);
  const builder = new TraceBuilder();
  const prompt = history.find(({ role, is_demo }) => role === "user" && is_demo !== true);
  if (prompt !== undefined) builder.person(prompt.content);
  if (!Array.isArray(file.trajectory)) {
    readHistory(builder, history);
    return builder.finish();
  }
  const actions = history.filter(({ role, is_demo }) => role === "assistant" && is_demo !== true);
  for (const [place, value] of file.trajectory.entries()) {
    const step = fieldsOf(value);
    const said = actions[place];
    const called = said === undefined ? [] : arrayOf(said.tool_calls);
    const isSame = wordOf(said?.action) === wordOf(step.action);
    const { id, name, input } = callOf(isSame ? called[0] : undefined, step.action);
    builder.call({ id, name, input, thought: String(step.thought ?? "").trim() || null });
    builder.answer(id, { observation: step.observation, state: step.state });
  }
  const { exit_status, submission } = fieldsOf(file.info);
  if (typeof submission === "string") builder.says(submission);
  if (typeof exit_status === "string" && exit_status !== "submitted") builder.error(exit_status, undefined);
  return builder.finish();
}

function readHistory(builder: TraceBuilder, history: readonly Record<string, unknown>[]): void {
  let open: string | null = null;
  for (const message of history) {
    if (message.role === "assistant") {
      const call = callOf(arrayOf(message.tool_calls)[0], message.action);
      open = call.id;
      builder.call({ ...call, thought: String(message.thought ?? "").trim() || null });
    } else if (message.role === "tool") builder.answer(open, { observation: wordsOf(message.content) });
  }
}

function wordOf(action: unknown): string {
  return /^\S*/.exec(String(action ?? ""))?.[0] ?? "";
}

function callOf(value: unknown, action: unknown): { id: string | null; name: string; input: unknown } {
  const call = fieldsOf(value);
  const { name, arguments: given } = fieldsOf(call.function);
  if (typeof name === "string") return { id: String(call.id), name, input: parsedArguments(given) };
  return { id: null, name: wordOf(action) || "bash", input: { command: action } };
}
