import type { NewEntry } from "#lib/contract/entry.ts";
import { notFound } from "#lib/contract/error.ts";
import type { BanAnswer } from "#lib/contract/run-ban.ts";
import { isEnd } from "#lib/contract/run-status.ts";
import type { OrganizationContext } from "./service-context.ts";

type OfBody = { body: { agent_run_id: number } };

/** Stops the run as cancel does and flags it; both or neither. */
export async function banRun(context: OrganizationContext, { body }: OfBody): Promise<BanAnswer> {
  return await context.store.transaction(async (store) => {
    const before = await store.runs.find(context.access, body.agent_run_id);
    await store.pulls.ban(context.access, body.agent_run_id, bannedEntry(context.now()));
    await store.runs.cancel(context.access, body.agent_run_id);
    const run = await store.runs.setBanned(context.access, body.agent_run_id, true);
    if (before === null || run === null) throw notFound("Agent run");
    const stopped = isEnd(before.status)
      ? "The run had ended"
      : isEnd(run.status)
        ? "The run is stopped"
        : "The run is being stopped";
    return { message: `${stopped}. Events on its pull request no longer resume it.`, agent_run_id: run.id };
  });
}

/** Removes the flag; starts nothing. */
export async function unbanRun(context: OrganizationContext, { body }: OfBody): Promise<BanAnswer> {
  const run = await context.store.runs.setBanned(context.access, body.agent_run_id, false);
  if (run === null) throw notFound("Agent run");
  return { message: "Events on its pull request may resume the run again. Nothing was started.", agent_run_id: run.id };
}

/** Last entry of the work on the run's pull request. */
function bannedEntry(now: Date): NewEntry {
  return {
    created_at: now.toISOString(),
    message_type: "PR_EVALUATION",
    thought: null,
    tool_name: null,
    tool_input: null,
    tool_output: null,
    observation: { verdict: "banned", reason: "Somebody banned the run." },
  };
}
