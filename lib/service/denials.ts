import { notFound } from "#lib/contract/error.ts";
import { type Denial, type RecentDenial, recentDenials } from "#lib/contract/repositories/network.ts";
import { builtInRules } from "#lib/egress/built-in-rules.ts";
import { readTarget } from "#lib/egress/resolve.ts";
import { refusalOf } from "#lib/egress/rules.ts";
import type { RecordedDenial } from "#lib/store/repositories/networks.ts";
import type { OrganizationContext } from "./service-context.ts";

/** A run's refused connections. */
export async function listDenials(
  context: OrganizationContext,
  { params }: { params: { agent_run_id: number } },
): Promise<{ items: Denial[] }> {
  const { store, access } = context;
  const [run, kept] = await Promise.all([
    store.runs.find(access, params.agent_run_id),
    store.networks.listDenials(access, params.agent_run_id),
  ]);
  if (run === null || kept === null) throw notFound("Agent run");
  if (kept.length === 0) return { items: [] };
  const isAllowed = await judgeFor(context, run.repositoryId);
  return { items: kept.map((denial) => ({ ...denial, allowed: isAllowed(denial) })) };
}

/** Refused connections of the organization's runs in the last days; empty for a repository that is not visible. */
export async function listRecentDenials(
  context: OrganizationContext,
  { query }: { query: { repo_id?: number | undefined } },
): Promise<{ items: RecentDenial[] }> {
  const { store, access, now } = context;
  const kept = await store.networks.listRecentDenials(access, {
    repositoryId: query.repo_id ?? null,
    since: now().getTime() - recentDenials.days * 86_400_000,
    limit: recentDenials.itemsMax,
  });
  const judges = new Map<number | null, ReturnType<typeof judgeFor>>();
  const items = kept.map(async (denial) => {
    const id = denial.repository_id;
    const judge = judges.get(id) ?? judgeFor(context, id);
    judges.set(id, judge);
    return { ...denial, allowed: (await judge)(denial) };
  });
  return { items: await Promise.all(items) };
}

/**
 * Decides whether the rules for runs on a repository, or without one, now allow a connection that was refused. No rule allows an
 * address that is not public.
 */
async function judgeFor(
  { store, access: { organizationId } }: OrganizationContext,
  repositoryId: number | null,
): Promise<(denial: Pick<RecordedDenial, "host" | "rule">) => boolean> {
  const [{ mode, rules: own }, sources] = await Promise.all([
    store.networks.findForRun({ organizationId, repositoryId }),
    store.networks.listSources(organizationId),
  ]);
  const rules = { mode, rules: [...own, ...builtInRules(sources)], permitted: new Set<string>() };
  return ({ host, rule }) => {
    if (rule === "private_address" || rule === "metadata_address" || rule === "key_unknown") return false;
    const target = readTarget(host);
    return target !== null && refusalOf(rules, target) === null;
  };
}
