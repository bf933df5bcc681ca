import { z } from "zod";
import { defineOperation, Id, O, OrgParams } from "./define-operation.ts";
import { MessageType, missingField, toolCallIdMax, toolNameMax } from "./entry.ts";
import { Run } from "./run.ts";
import { endStatuses, referenceStatus } from "./run-status.ts";
import { JsonObject, Text } from "./text.ts";

const tag = "Agent runs";
const RunParams = OrgParams.extend({ agent_run_id: Id });

/** The most entries of one batch, and the most bytes of its body. */
export const batchEntriesMax = 1000;
export const batchBytesMax = 32 * 1024 * 1024;

/** A step that another system reports. What the type of an entry asks for (§2.4) must be there. */
export const IngestEntry = z
  .object({
    message_type: MessageType.describe("Kind of step; it decides which of the fields below must be there"),
    created_at: z.iso.datetime({ offset: true }).nullish().describe("When the step ended; now where absent"),
    tool_call_id: z.string().min(1).max(toolCallIdMax).nullish().describe("The agent's own id of the tool call"),
    thought: z.string().nullish().describe("Thought of the agent; needed for PLAN_EVALUATION"),
    tool_name: z.string().min(1).max(toolNameMax).nullish().describe("Tool that was called; needed for ACTION"),
    tool_input: JsonObject.nullish().describe(
      "Input of the tool; needed for ACTION, an empty object where it takes nothing",
    ),
    tool_output: JsonObject.nullish().describe(
      "Output of the tool; needed for ACTION, an empty object where it answered nothing",
    ),
    observation: z
      .union([z.string(), JsonObject], "must be text or a JSON object")
      .nullish()
      .describe("The message, answer or error; needed for FINAL_ANSWER and ERROR"),
  })
  .superRefine((entry, context) => {
    const field = missingField(entry);
    // An empty name is refused by a rule of its own.
    if (field === null || (field === "tool_name" && entry.tool_name === "")) return;
    const message = `must be present in an entry of type ${entry.message_type}`;
    context.addIssue({ code: "custom", path: [field], message });
  });
export type IngestEntry = z.infer<typeof IngestEntry>;

/** What POST logs takes: whole or not at all, in this order. */
export const AppendLogs = z.object({
  entries: z.array(IngestEntry).min(1).max(batchEntriesMax).describe("The steps, oldest first"),
});
export type AppendLogs = z.infer<typeof AppendLogs>;

/** Where a batch stands in its run. */
export const Appended = z.object({
  first_seq: z.int().describe("The seq of the first entry of the batch"),
  last_seq: z.int().describe("The seq of its last entry"),
  total_logs: z.int().describe("How many entries the run has now"),
});
export type Appended = z.infer<typeof Appended>;

const reportable = ["running", "waiting", "evaluating", ...endStatuses] as const;

/** A status as an outside system may report it, in our words or those of the reference service. */
const ReportedStatus = z
  .enum([...reportable, ...new Set(reportable.map((status) => referenceStatus[status]))])
  // PAUSED names waiting and interrupted: whoever says it of a live run means the first.
  .transform((word) => reportable.find((status) => status === word || referenceStatus[status] === word) ?? z.NEVER);

/** What the system that runs an external agent may say about the run. Null empties a text. */
export const UpdateRun = z
  .object({
    status: ReportedStatus.optional().describe(
      "An ended run goes on by resume alone. The reference service's words mean the same, whatever the token's status_style; PAUSED is waiting",
    ),
    result: Text(262_144).nullish().describe("The answer of the newest turn"),
    summary: Text(1000).nullish().describe("The first line of the result where only that is given"),
  })
  .refine(
    ({ status, result, summary }) => status !== undefined || result !== undefined || summary !== undefined,
    "must have at least one of status, result and summary",
  );
export type UpdateRun = z.infer<typeof UpdateRun>;

/** Fields of an entry as it is read, which are given here anew: what was read from one run may be reported to another. */
export const entryFieldsIgnored = ["agent_run_id", "seq"];

export const appendLogs = defineOperation({
  id: "appendLogs",
  method: "POST",
  path: `${O}/agent/run/{agent_run_id}/logs`,
  tag,
  summary: "Append log entries to an external run",
  description:
    "For runs whose agent is `external`: another system runs the agent and reports its steps. A batch is appended whole or not at all; batches that arrive at once follow one another. Send an Idempotency-Key to be able to repeat a batch whose answer was lost.",
  scope: "ingest:write",
  act: "report",
  rateClass: "ingest",
  idempotent: true,
  stability: "alpha",
  params: RunParams,
  body: AppendLogs,
  bodyBytesMax: batchBytesMax,
  ignoredFields: entryFieldsIgnored.map((name) => `entries.${name}`),
  result: Appended,
});

export const updateRun = defineOperation({
  id: "updateRun",
  method: "PATCH",
  path: `${O}/agent/run/{agent_run_id}`,
  tag,
  summary: "Report the status of an external run",
  description:
    "For runs whose agent is `external`. A running run may come to wait, be evaluated or end; one that waits or is evaluated may run again. An ended run is resumed by a further turn.",
  scope: "ingest:write",
  act: "report",
  rateClass: "ingest",
  idempotent: true,
  params: RunParams,
  body: UpdateRun,
  result: Run,
});
