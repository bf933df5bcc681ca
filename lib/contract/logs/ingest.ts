import { z } from "zod";
import { defineOperation, RunParams } from "#lib/contract/define-operation.ts";
import { Run } from "#lib/contract/runs/run.ts";
import { endStatuses, referenceStatus } from "#lib/contract/runs/run-status.ts";
import { JsonObject, Text } from "#lib/contract/text.ts";
import { exactNumbers, MessageType, missingField, toolCallIdMax, toolNameMax } from "./entry.ts";

/** Maximum number of entries per batch, and of bytes of its body. */
export const batchEntriesMax = 1000;
export const batchBytesMax = 32 * 1024 * 1024;

/** A step reported by another system. The fields required by its type (`populationProblem`) must be present. */
export const IngestEntry = z
  .object({
    message_type: MessageType.describe("Kind of step; it decides which of the fields below are required"),
    created_at: z.iso
      .datetime({ offset: true })
      .nullish()
      .describe("When the step ended, not before 2000 and at most a day ahead; now if absent"),
    tool_call_id: z.string().min(1).max(toolCallIdMax).nullish().describe("The agent's own id of the tool call"),
    thought: z.string().nullish().describe("Thought of the agent; required for PLAN_EVALUATION"),
    tool_name: z.string().min(1).max(toolNameMax).nullish().describe("Tool that was called; required for ACTION"),
    tool_input: JsonObject.nullish().describe(
      `Input of the tool; required for ACTION, an empty object if it takes nothing. ${exactNumbers}`,
    ),
    tool_output: JsonObject.nullish().describe(
      `Output of the tool; required for ACTION, an empty object if it returned nothing. ${exactNumbers}`,
    ),
    observation: z
      .union([z.string(), JsonObject], "must be text or a JSON object")
      .nullish()
      .describe(`The message, answer or error; required for FINAL_ANSWER and ERROR. ${exactNumbers}`),
  })
  .superRefine((entry, context) => {
    const field = missingField(entry);
    // An empty name is refused by a separate rule.
    if (field === null || (field === "tool_name" && entry.tool_name === "")) return;
    const message = `must be present in an entry of type ${entry.message_type}`;
    context.addIssue({ code: "custom", path: [field], message });
  });
z.globalRegistry.add(IngestEntry, {
  id: "IngestEntry",
  example: { message_type: "PLAN_EVALUATION", thought: "Read the code first" },
});
export type IngestEntry = z.infer<typeof IngestEntry>;

/** Request body of POST logs: accepted completely or not at all, in this order. */
export const AppendLogs = z.object({
  entries: z.array(IngestEntry).min(1).max(batchEntriesMax).describe("The steps, oldest first"),
});
z.globalRegistry.add(AppendLogs, { id: "AppendLogs" });
export type AppendLogs = z.infer<typeof AppendLogs>;

/** Position of a batch in its run. */
export const Appended = z.object({
  first_seq: z.int().describe("The seq of the first entry of the batch").meta({ example: 41 }),
  last_seq: z.int().describe("The seq of its last entry").meta({ example: 42 }),
  total_logs: z.int().describe("How many entries the run now has").meta({ example: 42 }),
});
z.globalRegistry.add(Appended, { id: "Appended" });
export type Appended = z.infer<typeof Appended>;

const reportable = ["running", "waiting", "evaluating", ...endStatuses] as const;

/** A status reported by an outside system, in our vocabulary or the reference service's. */
const ReportedStatus = z
  .enum([...reportable, ...new Set(reportable.map((status) => referenceStatus[status]))])
  // PAUSED means waiting or interrupted: for a live run it is the first.
  .transform((word) => reportable.find((status) => status === word || referenceStatus[status] === word) ?? z.NEVER);

/** Report about a run by the system that runs an external agent. Null clears a text. */
export const UpdateRun = z
  .object({
    status: ReportedStatus.optional().describe(
      "Only POST resume continues an ended run. The reference service's status names are accepted too, whatever the token's status_style; PAUSED means waiting",
    ),
    result: Text(262_144).nullish().describe("The answer of the newest turn"),
    summary: Text(1000).nullish().describe("By default the first line of the result"),
  })
  .refine(
    ({ status, result, summary }) => status !== undefined || result !== undefined || summary !== undefined,
    "must have at least one of status, result and summary",
  );
z.globalRegistry.add(UpdateRun, { id: "UpdateRun", example: { status: "completed", result: "The test passes." } });
export type UpdateRun = z.infer<typeof UpdateRun>;

export const appendLogs = defineOperation({
  id: "appendLogs",
  summary: "Append log entries to an external run",
  description:
    "For runs whose agent is `external`: another system runs the agent and reports its steps. A batch is appended completely or not at all; simultaneous batches are appended one after another. Send an Idempotency-Key so that you can repeat a batch whose response was lost.",
  scope: "ingest:write",
  act: "report",
  rateClass: "ingest",
  idempotent: "once",
  stability: "alpha",
  params: RunParams,
  body: AppendLogs,
  bodyBytesMax: batchBytesMax,
  // Assigned again: entries read from one run may be reported to another.
  ignoredFields: ["entries.agent_run_id", "entries.seq"],
  result: Appended,
});

export const updateRun = defineOperation({
  id: "updateRun",
  summary: "Report the status of an external run",
  description:
    "For runs whose agent is `external`. A running run can become waiting or evaluating, or end; a waiting or evaluating run can become running again.",
  scope: "ingest:write",
  act: "report",
  rateClass: "ingest",
  idempotent: "once",
  params: RunParams,
  body: UpdateRun,
  result: Run,
  ifMatch: true,
  tagged: true,
});
