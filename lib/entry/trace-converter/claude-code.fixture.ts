import { fieldsOf } from "#lib/contract/json-fields.ts";
import type { NewEntry } from "#lib/contract/logs/entry.ts";
import { arrayOf, jsonLines, TraceBuilder } from "./trace-builder.fixture.ts";

/** Claude Code's session files. Inline side chains are part of the run, in the order of the file. */
export function claudeCodeEntries(text: string): NewEntry[] {
  const builder = new TraceBuilder();
  for (const record of jsonLines(text)) {
    const time = record.timestamp;
    const message = fieldsOf(record.message);
    if (record.type === "user") readUser(builder, record, message.content, time);
    else if (record.type === "assistant") readAssistant(builder, record, message, time);
    else if (record.type === "system" && record.subtype === "api_error") builder.error("API error", record.error, time);
    else if (record.type === "pr-link") builder.link({ url: record.prUrl, number: record.prNumber }, time);
  }
  return builder.finish();
}

function readUser(builder: TraceBuilder, record: Record<string, unknown>, content: unknown, time: unknown): void {
  if (record.isCompactSummary === true) {
    builder.thinks(typeof content === "string" ? content : "The context was compacted.", time);
    return;
  }
  // Text that the harness adds in a person's name is not their message.
  const isInner = record.isSidechain === true || record.isMeta === true;
  if (typeof content === "string") {
    if (isInner) builder.thinks(content, time);
    else builder.person(content, time);
    return;
  }
  const said: unknown[] = [];
  for (const value of arrayOf(content)) {
    const block = fieldsOf(value);
    if (block.type === "tool_result") answer(builder, record, block);
    else said.push(value);
  }
  // Each text is a separate message, with the images beside it.
  for (const [place, value] of said.entries()) {
    if (fieldsOf(value).type !== "text") {
      if (!said.some((one) => fieldsOf(one).type === "text")) builder.person([value], time);
      continue;
    }
    const isFirst = said.findIndex((one) => fieldsOf(one).type === "text") === place;
    const beside = isFirst ? said.filter((one) => fieldsOf(one).type !== "text") : [];
    if (isInner) builder.thinks(String(fieldsOf(value).text ?? ""), time);
    else builder.person([value, ...beside], time);
  }
}

function answer(builder: TraceBuilder, record: Record<string, unknown>, block: Record<string, unknown>): void {
  const { content, is_error } = block;
  const output = typeof content === "string" ? { text: content } : { content: content ?? null };
  builder.answer(String(block.tool_use_id), {
    ...output,
    ...(is_error === undefined ? {} : { is_error }),
    ...(record.toolUseResult === undefined ? {} : { toolUseResult: record.toolUseResult }),
  });
}

function readAssistant(
  builder: TraceBuilder,
  record: Record<string, unknown>,
  message: Record<string, unknown>,
  time: unknown,
): void {
  for (const value of arrayOf(message.content)) {
    const block = fieldsOf(value);
    if (block.type === "text") {
      const words = String(block.text ?? "");
      if (record.isApiErrorMessage === true) builder.error(words, undefined, time);
      else if (record.isSidechain === true) builder.thinks(words, time);
      else builder.says(words, time);
    } else if (block.type === "thinking") builder.thinks(String(block.thinking ?? ""), time);
    else if (block.type === "tool_use") {
      builder.call({ id: String(block.id), name: String(block.name), input: block.input, time });
    }
  }
}
