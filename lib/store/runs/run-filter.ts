import { type ExpressionBuilder, sql } from "kysely";
import type { Dialect } from "#lib/store/dialect.ts";
import { millisecondsOf } from "#lib/store/instant.ts";
import type { Schema } from "#lib/store/schema.ts";
import type { Access } from "./access.ts";
import type { RunFilter } from "./run-store.ts";

/** SQL: the runs of the caller's organization that match the filter. */
export function matching(
  eb: ExpressionBuilder<Schema, "runs">,
  access: Access,
  filter: RunFilter,
  { contains, promptsWith }: Pick<Dialect, "contains" | "promptsWith">,
) {
  const conditions = [eb("runs.organization_id", "=", access.organizationId)];
  if (filter.statuses !== undefined) conditions.push(eb("runs.status", "in", filter.statuses));
  if (filter.repositoryId !== undefined) conditions.push(eb("runs.repository_id", "=", filter.repositoryId));
  if (filter.userId !== undefined) conditions.push(eb("runs.user_id", "=", filter.userId));
  if (filter.sourceType !== undefined) conditions.push(eb("runs.source_type", "=", filter.sourceType));
  if (filter.agent !== undefined) conditions.push(eb("runs.agent", "=", filter.agent));
  if (filter.createdAfter !== undefined) {
    conditions.push(eb("runs.created_at", ">=", millisecondsOf(filter.createdAfter)));
  }
  if (filter.createdBefore !== undefined) {
    conditions.push(eb("runs.created_at", "<", millisecondsOf(filter.createdBefore)));
  }
  if (filter.ids !== undefined) conditions.push(eb("runs.id", "in", filter.ids));
  for (const [name, value] of filter.metadata ?? []) {
    const holding = eb
      .selectFrom("run_metadata")
      .select("run_metadata.run_id")
      .where("run_metadata.organization_id", "=", access.organizationId)
      .where("run_metadata.name", "=", name)
      .where("run_metadata.value", "=", value);
    conditions.push(eb("runs.id", "in", holding));
  }
  if (filter.before !== undefined) conditions.push(eb("runs.id", "<", filter.before));
  if (filter.q !== undefined) {
    const holding = eb
      .selectFrom("turns")
      .select(sql.lit(1).as("one"))
      .whereRef("turns.run_id", "=", "runs.id")
      .where("turns.number", "=", 1)
      .where(contains(sql.ref("turns.prompt"), filter.q));
    const likely = promptsWith(filter.q);
    if (likely !== null) conditions.push(eb("runs.id", "in", likely));
    conditions.push(eb.exists(holding));
  }
  return eb.and(conditions);
}
