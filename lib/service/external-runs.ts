import { ApiError, notFound } from "#lib/contract/error.ts";
import type { NewEntry } from "#lib/contract/logs/entry.ts";
import { isEntryTime } from "#lib/contract/logs/entry-time.ts";
import type { Appended, AppendLogs, UpdateRun } from "#lib/contract/logs/ingest.ts";
import type { Run } from "#lib/contract/runs/run.ts";
import { summaryOf } from "#lib/contract/runs/run-summary.ts";
import { seqMax } from "#lib/store/entries/entry-id.ts";
import type { ExternalRefusal } from "#lib/store/store.ts";
import { requireMatch } from "./if-match.ts";
import { presentRun, viewOf } from "./present-run.ts";
import { getRun } from "./runs.ts";
import type { OrganizationContext } from "./service-context.ts";

type OfRun = { params: { agent_run_id: number } };

/** Appends a batch to an external run. 409 if the run has another agent or has ended. */
export async function appendLogs(
  context: OrganizationContext,
  { params, body }: OfRun & { body: AppendLogs },
): Promise<Appended> {
  const now = context.now();
  refuseFarTimes(body, now.getTime());
  const entries = newEntries(body, now.toISOString());
  const done = await context.store.external.append(context.access, params.agent_run_id, entries);
  if ("refused" in done) throw refusal(done.refused);
  return { first_seq: done.firstSeq, last_seq: done.lastSeq, total_logs: done.lastSeq };
}

/** A time decides when the run began and ended, so one that cannot be right is not stored. */
function refuseFarTimes({ entries }: AppendLogs, nowMs: number): void {
  const fields = entries.flatMap(({ created_at }, index) =>
    created_at == null || isEntryTime(Date.parse(created_at), nowMs)
      ? []
      : [
          {
            loc: ["body", "entries", index, "created_at"],
            msg: "must not be before 2000 or more than a day ahead",
            type: "value_error",
          },
        ],
  );
  const [first] = fields;
  if (first === undefined) return;
  throw new ApiError("invalid_parameters", `${first.loc.slice(1).join(".")}: ${first.msg}`, { fields });
}

function newEntries(body: AppendLogs, now: string): NewEntry[] {
  return body.entries.map((entry) => ({
    created_at: entry.created_at == null ? now : new Date(entry.created_at).toISOString(),
    message_type: entry.message_type,
    tool_call_id: entry.tool_call_id ?? null,
    thought: entry.thought ?? null,
    tool_name: entry.tool_name ?? null,
    tool_input: entry.tool_input ?? null,
    tool_output: entry.tool_output ?? null,
    observation: entry.observation ?? null,
  }));
}

/** Applies the status an outside system reports for its run. 409 if it cannot follow the current one. */
export async function updateRun(
  context: OrganizationContext,
  { params, body }: OfRun & { body: UpdateRun },
): Promise<Run> {
  const { status, result } = body;
  const summary = body.summary === undefined && result !== undefined ? summaryOf(result) : body.summary;
  const done = await context.store.transaction(async (store) => {
    await requireMatch(context, () => getRun({ ...context, store }, { params }));
    return await store.external.update(context.access, params.agent_run_id, {
      ...(status === undefined ? {} : { status }),
      ...(result === undefined ? {} : { result }),
      ...(summary === undefined ? {} : { summary }),
    });
  });
  if ("run" in done) return presentRun(done.run, viewOf(context));
  if (done.refused !== "transition") throw refusal(done.refused);
  throw new ApiError("conflict", `A run that is ${done.from} cannot become ${status}.`);
}

function refusal(refused: ExternalRefusal): ApiError {
  switch (refused) {
    case "absent":
      return notFound("Agent run");
    case "not_external":
      return new ApiError(
        "conflict",
        "Errand runs this agent itself. Only runs of the agent `external` accept reports.",
      );
    case "ended":
      return new ApiError("conflict", "The run has ended. Resume it to report more.");
    case "full":
      return new ApiError("conflict", `A run can have at most ${seqMax.toLocaleString("en-US")} entries.`);
  }
}
