import { notFound } from "#lib/contract/error.ts";
import { type NewEntry, newEntry } from "#lib/contract/logs/entry.ts";
import type { BanAnswer } from "#lib/contract/runs/run-ban.ts";
import { isEnd } from "#lib/contract/runs/run-status.ts";
import type { OrganizationContext } from "./service-context.ts";

type OfBody = { body: { agent_run_id: number } };

/** Stops the run as cancel does and flags it, and so the other runs of its pull request; all of them or none. */
export async function banRun(context: OrganizationContext, { body }: OfBody): Promise<BanAnswer> {
  return await context.store.transaction(async (store) => {
    const { access } = context;
    const mates = await store.pulls.findSiblingRuns(access, body.agent_run_id);
    const before = await store.runs.find(access, body.agent_run_id);
    for (const id of [body.agent_run_id, ...mates]) {
      await store.pulls.ban(access, id, bannedEntry(context.now()));
      await store.runs.cancel(access, id);
      await store.runs.setBanned(access, id, true);
    }
    const run = await store.runs.find(access, body.agent_run_id);
    if (before === null || run === null) throw notFound("Agent run");
    const stopped = isEnd(before.status)
      ? "The run had ended"
      : isEnd(run.status)
        ? "The run is stopped"
        : "The run is being stopped";
    const others = mates.map((id) => ` The same goes for run ${id}, which works on it too.`).join("");
    const message = `${stopped}. Events on its pull request no longer resume it.${others}`;
    return { message, agent_run_id: run.id };
  });
}

/** Removes the flags; starts nothing. */
export async function unbanRun(context: OrganizationContext, { body }: OfBody): Promise<BanAnswer> {
  return await context.store.transaction(async (store) => {
    const run = await store.runs.setBanned(context.access, body.agent_run_id, false);
    if (run === null) throw notFound("Agent run");
    const mates = await store.pulls.findSiblingRuns(context.access, run.id);
    for (const id of mates) await store.runs.setBanned(context.access, id, false);
    const message = "Events on its pull request may resume the run again. Nothing was started.";
    return { message, agent_run_id: run.id };
  });
}

/** Last entry of the work on the run's pull request. */
function bannedEntry(now: Date): NewEntry {
  const observation = { verdict: "banned", reason: "Someone banned the run." };
  return newEntry("PR_EVALUATION", now.toISOString(), { observation });
}
