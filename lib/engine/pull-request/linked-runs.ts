import type { NewEntry } from "#lib/contract/logs/entry.ts";
import type { PullStep } from "#lib/store/pulls/pulls.ts";
import { pullEntry } from "./entries.ts";
import type { PullParts } from "./parts.ts";
import type { PullWork } from "./work.ts";

/** The pull request as it was opened: its conversation, target branch and page. */
type Opened = { conversation: { integrationId: number; key: string }; baseBranch: string; url: string };

/**
 * AGENT_RUN_LINK between the runs of one pull request, for the log of each: the run that its conversation led to until now, and
 * the run whose branch is its target.
 */
export async function linkRuns(
  parts: PullParts,
  { pull, run }: PullWork,
  { conversation, baseBranch, url }: Opened,
): Promise<{ entries: NewEntry[]; elsewhere: NonNullable<PullStep["elsewhere"]> }> {
  const { store } = parts;
  const origin = await parts.origin();
  const link = (agent_run_id: number, relation: string, text: string) =>
    pullEntry("AGENT_RUN_LINK", parts.now(), {
      agent_run_id,
      relation,
      text,
      web_url: `${origin}/runs/${agent_run_id}`,
    });
  const entries: NewEntry[] = [];
  const elsewhere: NonNullable<PullStep["elsewhere"]> = [];
  const before = await store.conversations.findRun(conversation.integrationId, conversation.key);
  if (before !== null && before !== run.id) {
    const text = `Both work on the pull request ${url}`;
    entries.push(link(before, "same_pull_request", text));
    elsewhere.push({ runId: before, entry: link(run.id, "same_pull_request", text) });
  }
  const base = await findBase(parts, pull, baseBranch);
  if (base !== null && base !== run.id) {
    entries.push(link(base, "builds_on", "This pull request merges into its branch"));
    elsewhere.push({
      runId: base,
      entry: link(run.id, "built_on_by", `Its pull request merges into this run's branch: ${url}`),
    });
  }
  return { entries, elsewhere };
}

/** The run of the same repository whose branch this is; null if it is no run's. */
async function findBase(
  { store }: PullParts,
  { organizationId, repositoryId }: PullWork["pull"],
  branch: string,
): Promise<number | null> {
  const id = Number(/^errand\/run-([1-9]\d{0,14})$/.exec(branch)?.[1]);
  if (!Number.isSafeInteger(id)) return null;
  const run = await store.runs.find({ organizationId, userId: null }, id);
  return run?.repositoryId === repositoryId && run.branch === branch ? id : null;
}
