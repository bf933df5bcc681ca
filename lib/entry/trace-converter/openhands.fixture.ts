import { fieldsOf } from "#lib/contract/json-fields.ts";
import type { NewEntry } from "#lib/contract/logs/entry.ts";
import { arrayOf, parsedArguments, TraceBuilder, wordsOf } from "./trace-builder.fixture.ts";

/** Events of one OpenHands run, of its first and its second generation. */
export function openhandsEntries(events: readonly Record<string, unknown>[]): NewEntry[] {
  const builder = new TraceBuilder();
  for (const event of events) {
    if (typeof event.kind === "string") readSdkEvent(builder, event);
    else if (typeof event.action === "string") readAction(builder, event, event.action);
    else if (typeof event.observation === "string") readObservation(builder, event, event.observation);
  }
  return builder.finish();
}

function readAction(builder: TraceBuilder, event: Record<string, unknown>, action: string): void {
  const args = fieldsOf(event.args);
  const time = event.timestamp;
  if (action === "message") {
    if (event.source === "user") builder.person(String(args.content), time);
    else builder.says(String(args.content), time);
  } else if (action === "recall" || action === "system" || action === "change_agent_state") return;
  else {
    const called = fieldsOf(event.tool_call_metadata);
    const { thought, ...input } = args;
    builder.call({
      // An observation names the action that it answers.
      id: `event-${String(event.id)}`,
      name: String(called.function_name ?? action),
      input: argumentsOf(called) ?? input,
      time,
      thought: typeof thought === "string" && thought.trim() !== "" ? thought : null,
    });
  }
}

/** The model's own words, which say more than the result. */
function argumentsOf({ model_response, tool_call_id }: Record<string, unknown>): unknown {
  for (const choice of arrayOf(fieldsOf(model_response).choices)) {
    for (const call of arrayOf(fieldsOf(fieldsOf(choice).message).tool_calls)) {
      const { id, function: called } = fieldsOf(call);
      if (id === tool_call_id) return parsedArguments(fieldsOf(called).arguments);
    }
  }
  return undefined;
}

const hidden = new Set(["null", "agent_state_changed", "recall"]);

function readObservation(builder: TraceBuilder, event: Record<string, unknown>, observation: string): void {
  if (hidden.has(observation)) return;
  const { content, extras, success } = event;
  const output = { content, ...(success === undefined ? {} : { success }), extras };
  const isAnswer = builder.answer(`event-${String(event.cause)}`, output);
  if (!isAnswer && observation === "error") builder.error(String(content), extras, event.timestamp);
}

function readSdkEvent(builder: TraceBuilder, event: Record<string, unknown>): void {
  const { timestamp: time } = event;
  const id = String(event.tool_call_id);
  if (event.kind === "ActionEvent") {
    const { kind, ...input } = fieldsOf(event.action);
    builder.call({ id, name: String(event.tool_name), input, time, thought: wordsOf(event.thought) || null });
  } else if (event.kind === "ObservationEvent") {
    const { kind, ...output } = fieldsOf(event.observation);
    builder.answer(id, output);
  } else if (event.kind === "AgentErrorEvent") builder.error(String(event.error), undefined, time);
  else if (event.kind === "MessageEvent") {
    const { content } = fieldsOf(event.llm_message);
    if (event.source === "user") builder.person(content, time);
    else builder.says(wordsOf(content), time);
  }
}
