import { fieldsOf } from "#lib/contract/json-fields.ts";
import type { NewEntry } from "#lib/contract/logs/entry.ts";
import { arrayOf, parsedArguments, TraceBuilder, wordsOf } from "./trace-builder.fixture.ts";

/** A span of any exporter: OTLP, a Langfuse export, the AI SDK, or a single one. */
type Span = { name: string; start: number; attributes: Record<string, unknown>; isError: boolean; type: string };

/** OpenTelemetry spans: tools are calls, models say things. Text that a model was shown again is included once. */
export function spanEntries(text: string): NewEntry[] {
  const builder = new TraceBuilder();
  const spans = spansOf(JSON.parse(text)).sort((one, other) => one.start - other.start);
  let hasPrompt = false;
  for (const { attributes, start, name, isError, type } of spans) {
    const prompt = promptOf(attributes);
    if (!hasPrompt && prompt !== null) {
      builder.person(prompt, start);
      hasPrompt = true;
    }
    const tool = attributes["gen_ai.tool.name"] ?? attributes["tool.name"] ?? attributes["ai.toolCall.name"];
    if (tool !== undefined || type === "TOOL" || type === "RETRIEVER") {
      const input = first(
        attributes,
        "gen_ai.tool.call.arguments",
        "tool_arguments",
        "input.value",
        "ai.toolCall.args",
        "input",
      );
      const output = first(
        attributes,
        "gen_ai.tool.call.result",
        "tool_response",
        "output.value",
        "ai.toolCall.result",
        "output",
      );
      const id = String(attributes["gen_ai.tool.call.id"] ?? `${name} ${start}`);
      builder.call({ id, name: String(tool ?? name), input: parsedArguments(input), time: start });
      const answer = parsedArguments(output);
      builder.answer(id, { ...(isError ? { status: "error" } : {}), output: answer });
    } else builder.says(saidIn(attributes), start);
  }
  return builder.finish();
}

function first(attributes: Record<string, unknown>, ...names: string[]): unknown {
  return names.map((name) => attributes[name]).find((value) => value !== undefined && value !== null);
}

function spansOf(file: unknown): Span[] {
  if (Array.isArray(file)) return file.flatMap(spansOf);
  const value = fieldsOf(file);
  const nested = [value.resourceSpans, value.scopeSpans, value.spans, value.observations].find(Array.isArray);
  if (nested !== undefined) return nested.flatMap(spansOf);
  const attributes = attributesOf(value);
  if (Object.keys(attributes).length === 0) return [];
  return [
    {
      name: String(value.name ?? value.spanName ?? "span"),
      start: startOf(value),
      attributes,
      isError: /ERROR|^2$/.test(String(fieldsOf(value.status).code ?? value.level ?? "")),
      type: String(value.type ?? attributes["openinference.span.kind"] ?? ""),
    },
  ];
}

function startOf({ startTimeUnixNano, startTime }: Record<string, unknown>): number {
  if (startTimeUnixNano !== undefined) return Number(startTimeUnixNano) / 1e6;
  if (Array.isArray(startTime)) return Number(startTime[0]) * 1000 + Number(startTime[1]) / 1e6;
  return typeof startTime === "string" ? Date.parse(startTime) : 0;
}

/** Attributes as an object; OTLP writes them as a list of keys with typed values. */
function attributesOf(span: Record<string, unknown>): Record<string, unknown> {
  const { attributes } = span;
  if (Array.isArray(attributes)) {
    return Object.fromEntries(
      attributes.map(fieldsOf).map(({ key, value }) => [String(key), Object.values(fieldsOf(value))[0]]),
    );
  }
  return attributes === undefined ? span : fieldsOf(attributes);
}

function promptOf(attributes: Record<string, unknown>): string | null {
  const messages = parsedArguments(first(attributes, "gen_ai.input.messages", "ai.prompt.messages", "input"));
  const list = Array.isArray(messages) ? messages : arrayOf(fieldsOf(messages).messages);
  const person = list.map(fieldsOf).find(({ role }) => role === "user");
  const own = wordsOf(person?.content ?? person?.parts);
  return own || (typeof attributes["input.value"] === "string" ? attributes["input.value"] : null);
}

function saidIn(attributes: Record<string, unknown>): string {
  const said = parsedArguments(
    first(attributes, "ai.response.text", "llm.output_messages.0.message.content", "gen_ai.output.messages", "output"),
  );
  if (typeof said === "string") return said;
  const list = Array.isArray(said) ? said : [said];
  return list
    .map(fieldsOf)
    .map(({ content, parts, text }) => (typeof text === "string" ? text : wordsOf(content ?? parts)))
    .join("\n\n");
}
