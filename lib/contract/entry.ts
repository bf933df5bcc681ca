import { z } from "zod";
import { Instant } from "./text.ts";

/** The 13 kinds of a log entry (§2.3). */
export const MessageType = z.enum([
  "ACTION",
  "PLAN_EVALUATION",
  "FINAL_ANSWER",
  "ERROR",
  "USER_MESSAGE",
  "USER_GITHUB_ISSUE_COMMENT",
  "INITIAL_PR_GENERATION",
  "DETECT_PR_ERRORS",
  "FIX_PR_ERRORS",
  "PR_CREATION_FAILED",
  "PR_EVALUATION",
  "COMMIT_EVALUATION",
  "AGENT_RUN_LINK",
]);
export type MessageType = z.infer<typeof MessageType>;

/** The most characters of a tool call's id. */
export const toolCallIdMax = 200;
/** The most characters of a tool's name where another system reports it. */
export const toolNameMax = 200;

/** Values that the agent's tools decide on, said as they are stored; they are checked where they come in, never on the way out. */
const ObjectOrNull = z.unknown().meta({ type: ["object", "null"], additionalProperties: true });
const TextObjectOrNull = z.unknown().meta({ type: ["string", "object", "null"], additionalProperties: true });

/**
 * One step of a run (§2.2). All keys are always there, null where empty; an entry never changes once it is written.
 * `seq` counts from 1 without a gap. `clipped` names the strings that were cut, only where `clip` was asked for and cut any;
 * `outcome` then tells how a tool call ended, as its whole entry does.
 */
export const LogEntry = z.object({
  agent_run_id: z.int().describe("The run that the entry belongs to"),
  seq: z.int().describe("The entry's number in its run: 1, 2, 3 … without a gap"),
  created_at: Instant.describe("When the step ended"),
  message_type: z.string().describe(`One of ${MessageType.options.join(", ")}; clients show others generically`),
  tool_call_id: z
    .string()
    .nullish()
    .describe("The agent's own id of the tool call; absent from entries written before it was kept"),
  thought: z.string().nullable().describe("Thought or words of the agent, or null"),
  tool_name: z.string().nullable().describe("Tool that was called, or null"),
  tool_input: ObjectOrNull.describe("Input of the tool, as the agent wrote it, or null"),
  tool_output: ObjectOrNull.describe(
    "Output of the tool, or null; `duration_ms` and `exit_code` are in here where they are known",
  ),
  observation: TextObjectOrNull.describe("A message, an answer or an error: text, an object, or null"),
  clipped: z
    .array(z.string())
    .optional()
    .describe("Paths of the strings that `clip` cut, such as tool_output.output; absent where it cut none"),
  outcome: z
    .enum(["ok", "failed", "refused", "cancelled", "unfinished", "unknown"])
    .optional()
    .describe("How the tool call ended; only where a text that may tell it was cut, or left out of a share"),
});
export type LogEntry = z.infer<typeof LogEntry>;

/** The fields of an entry that may be long. */
export type LongField = "thought" | "tool_input" | "tool_output" | "observation";

/** What the engine hands to the store: seq and run are given there; `created_at` is when the step ended. */
export type NewEntry = {
  created_at: string;
  message_type: MessageType;
  /** The agent's own id of the tool call; where two entries of a run have the same, the first is found by it. */
  tool_call_id?: string | null;
  thought: string | null;
  tool_name: string | null;
  tool_input: Record<string, unknown> | null;
  tool_output: Record<string, unknown> | null;
  observation: string | Record<string, unknown> | null;
};

/** An entry whose long fields are JSON already, in UTF-8 on one line, and are stored as they are; null where empty. */
export type RawEntry = Pick<NewEntry, "created_at" | "message_type" | "tool_name"> & {
  tool_call_id: string | null;
  json: { readonly [field in LongField]: Uint8Array | null };
  /** The fields of tool_output that tell how the call ended and how long it took; of long texts their beginnings and ends. */
  outcome: Record<string, unknown>;
};

type Populated = { message_type: string } & { [field in Populatable]: unknown };
type Populatable = "thought" | "tool_name" | "tool_input" | "tool_output" | "observation";

const required: Record<string, readonly Populatable[]> = {
  ACTION: ["tool_name", "tool_input", "tool_output"],
  PLAN_EVALUATION: ["thought"],
  ERROR: ["observation"],
  FINAL_ANSWER: ["observation"],
} satisfies Partial<Record<MessageType, readonly Populatable[]>>;

/**
 * The first field that the population rules (§2.4) ask for and the entry lacks, or null. Empty text is lacking; an empty object
 * is not: tools without input or output are common.
 */
export function missingField(entry: Partial<Populated> & Pick<Populated, "message_type">): Populatable | null {
  return required[entry.message_type]?.find((name) => isLacking(entry[name])) ?? null;
}

function isLacking(value: unknown): boolean {
  // Text that is JSON already has its quotes.
  if (value instanceof Uint8Array) return value.length === 2 && value[0] === 0x22;
  return value === null || value === undefined || value === "";
}

/** Which population rule (§2.4) an entry breaks, as a sentence that names the field, or null. */
export function populationProblem(entry: Populated): string | null {
  const field = missingField(entry);
  return field === null ? null : `${field} must be present in an entry of type ${entry.message_type}`;
}
