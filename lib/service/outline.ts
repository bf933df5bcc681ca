import type { Outline, OutlineQuery } from "#lib/contract/outline.ts";
import { Tagged } from "./reply.ts";
import { findRun } from "./runs.ts";
import type { OrganizationContext } from "./service-context.ts";

/** A run at a glance: equal parts of what it has, or of what it has between two entries. */
export async function getOutline(
  context: OrganizationContext,
  { params, query }: { params: { agent_run_id: number }; query: OutlineQuery },
): Promise<Tagged> {
  const { store, access } = context;
  const run = await findRun(context, params.agent_run_id);
  const parts = await store.entries.outline(access, run.id, {
    first: query.from_seq ?? 1,
    // What came after the run was read is not in total_logs either.
    last: Math.min(query.to_seq ?? run.totalLogs, run.totalLogs),
    buckets: query.buckets,
  });
  const outline: Outline = {
    total_logs: run.totalLogs,
    buckets: parts.map((part) => ({
      from_seq: part.first,
      to_seq: part.last,
      counts: part.counts,
      errors: part.errors,
      first_error_seq: part.firstError,
      last_error_seq: part.lastError,
      first_at: part.firstAt,
      last_at: part.lastAt,
    })),
  };
  return new Tagged(outline);
}
