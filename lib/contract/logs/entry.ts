import { z } from "zod";
import { Instant } from "#lib/contract/text.ts";
import { messageTypes } from "#lib/contract/words.ts";

export const MessageType = z.enum(messageTypes);
export type MessageType = z.infer<typeof MessageType>;

/** Maximum length of a tool call's id. */
export const toolCallIdMax = 200;
/** Maximum length of a tool's name reported by another system. */
export const toolNameMax = 200;

/** For descriptions of the fields that hold any JSON object. */
export const exactNumbers =
  "Numbers keep the digits with which they were sent: a parser that rounds those of more than 16 digits shows others";

/** Values chosen by the agent's tools, returned as stored; they are checked on input, never on output. */
const ObjectOrNull = z.unknown().meta({ type: ["object", "null"], additionalProperties: true });
const TextObjectOrNull = z.unknown().meta({ type: ["string", "object", "null"], additionalProperties: true });

/**
 * One step of a run. All keys are always present, null if empty; an entry never changes once written. `seq` counts from
 * 1 without gaps. `clipped` lists the strings that were cut, only if `clip` was requested and cut any; `outcome` then says how
 * a tool call ended, according to its uncut entry.
 */
export const LogEntry = z.object({
  agent_run_id: z.int().describe("The run that the entry belongs to"),
  seq: z.int().describe("The entry's number in its run: 1, 2, 3 … without gaps").meta({ example: 7 }),
  created_at: Instant.describe("When the step ended").meta({ example: "2026-01-31T09:01:12.000Z" }),
  message_type: z.string().describe(`One of ${MessageType.options.join(", ")}; clients show unknown ones generically`),
  tool_call_id: z
    .string()
    .nullish()
    .describe("The agent's own id of the tool call; absent in entries written before it was stored"),
  thought: z.string().nullable().describe("Thought or words of the agent, or null"),
  tool_name: z.string().nullable().describe("Tool that was called, or null").meta({ example: "Bash" }),
  tool_input: ObjectOrNull.describe(`Input of the tool, or null. ${exactNumbers}`),
  tool_output: ObjectOrNull.describe(
    `Output of the tool, or null; has \`duration_ms\` and \`exit_code\` if they are known. ${exactNumbers}`,
  ).meta({ example: { output: "12 tests passed", exit_code: 0, duration_ms: 5200 } }),
  observation: TextObjectOrNull.describe(`A message, an answer or an error: text, an object, or null. ${exactNumbers}`),
  clipped: z
    .array(z.string())
    .optional()
    .describe("Paths of the strings that `clip` cut, such as tool_output.output; absent if it cut none"),
  input_hidden: z
    .int()
    .optional()
    .describe("Characters of `tool_input` that a share link without tool output leaves out; absent if none"),
  outcome: z
    .enum(["ok", "failed", "refused", "cancelled", "unfinished", "unknown"])
    .optional()
    .describe("How the tool call ended; only if the text that would show it was cut, or left out of a share"),
});
z.globalRegistry.add(LogEntry, {
  id: "LogEntry",
  example: { message_type: "ACTION", tool_input: { command: "npm test" } },
});
export type LogEntry = z.infer<typeof LogEntry>;

/** Entry from the engine to the store, which adds seq and run; `created_at` is when the step ended. */
export type NewEntry = {
  created_at: string;
  message_type: MessageType;
  /** The agent's own id of the tool call; if two entries of a run have the same, it finds the first. */
  tool_call_id?: string | null;
  thought: string | null;
  tool_name: string | null;
  tool_input: Record<string, unknown> | null;
  tool_output: Record<string, unknown> | null;
  observation: string | Record<string, unknown> | null;
};

/** An entry with these fields; the others are empty. */
export function newEntry(message_type: MessageType, created_at: string, fields: Partial<NewEntry>): NewEntry {
  const empty = { thought: null, tool_name: null, tool_input: null, tool_output: null, observation: null };
  return { created_at, message_type, ...empty, ...fields };
}

type Populated = { message_type: string } & { [field in Populatable]: unknown };
type Populatable = "thought" | "tool_name" | "tool_input" | "tool_output" | "observation";

/** The population rules: fields that an entry of a type must have. */
const required: Record<string, readonly Populatable[]> = {
  ACTION: ["tool_name", "tool_input", "tool_output"],
  PLAN_EVALUATION: ["thought"],
  ERROR: ["observation"],
  FINAL_ANSWER: ["observation"],
} satisfies Partial<Record<MessageType, readonly Populatable[]>>;

/**
 * First field required by the population rules that the entry lacks, or null. Empty text counts as missing; an empty
 * object does not: tools without input or output are common.
 */
export function missingField(entry: Partial<Populated> & Pick<Populated, "message_type">): Populatable | null {
  return required[entry.message_type]?.find((name) => isLacking(entry[name])) ?? null;
}

function isLacking(value: unknown): boolean {
  return value === null || value === undefined || value === "";
}

/** The population rule an entry breaks, as a sentence that names the field, or null. */
export function populationProblem(entry: Populated): string | null {
  const field = missingField(entry);
  return field === null ? null : `${field} must be present in an entry of type ${entry.message_type}`;
}
