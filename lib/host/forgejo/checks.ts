import { z } from "zod";
import { callHost, type HostCall, nullIfUnseen } from "#lib/host/call-host.ts";
import { checksMax, type HostCheck } from "#lib/host/pull-host.ts";
import { dateOf, unlessUnchanged } from "#lib/host/unchanged-checks.ts";

const Status = z.object({
  context: z.string(),
  status: z.string(),
  target_url: z.string().nullish(),
  created_at: z.string().nullish(),
  updated_at: z.string().nullish(),
});
const Combined = z.object({ statuses: z.array(Status).nullish() });
/** Default page size of servers: none returns fewer. */
const perPage = 30;

/** The latest status of each context of a commit: Forgejo and Gitea combine them. `repository` is its address in the API. */
export async function forgejoChecks(
  call: HostCall,
  repository: string,
  { commit, etag }: { commit: string; etag: string | null },
): Promise<{ checks: HostCheck[] | null; etag: string | null }> {
  const checks: HostCheck[] = [];
  for (let page = 1; checks.length < checksMax; page++) {
    const url = `${repository}/commits/${encodeURIComponent(commit)}/status?limit=${perPage}&page=${page}`;
    const found = await nullIfUnseen(callHost(call, { method: "GET", url }, Combined));
    const statuses = found?.statuses ?? [];
    checks.push(...statuses.map(checkOf));
    if (statuses.length < perPage) break;
  }
  return unlessUnchanged(checks.slice(0, checksMax), etag);
}

const conclusions: Record<string, HostCheck["conclusion"]> = {
  success: "success",
  // The host itself allows such a commit to be merged.
  warning: "neutral",
  skipped: "skipped",
};

function checkOf(status: z.output<typeof Status>): HostCheck {
  const isOver = status.status !== "pending";
  return {
    id: `status:${status.context}`,
    name: status.context,
    app: null,
    status: isOver ? "completed" : "running",
    conclusion: isOver ? (conclusions[status.status] ?? "failure") : null,
    url: status.target_url || null,
    startedAt: dateOf(status.created_at),
    completedAt: isOver ? dateOf(status.updated_at) : null,
    annotations: [],
  };
}
