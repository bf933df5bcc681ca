import type { Transaction } from "kysely";
import { externalAgent } from "#lib/contract/runs/agent-ids.ts";
import { factsVersion } from "#lib/store/entries/entry-facts.ts";
import type { Schema } from "#lib/store/schema.ts";
import { addWaitingTurn } from "#lib/store/turns/turns.ts";
import { setRunWebhooks } from "#lib/store/webhooks/webhooks.ts";
import type { Access } from "./access.ts";
import { requireQueueRoom } from "./queue-room.ts";
import { mcpServersColumn } from "./run-mcp-servers.ts";
import { insertRunMetadata } from "./run-metadata.ts";
import type { NewRun } from "./run-store.ts";

/**
 * Writes a run as `queued` with its first turn and returns its id. Throws if the repository does not belong to the
 * organization, and 429 if the organization's queue is full (not for external runs).
 */
export async function insertRun(
  trx: Transaction<Schema>,
  { organizationId, userId }: Access,
  run: NewRun,
  nowMs: number,
  queueMax: number,
): Promise<number> {
  if (run.repositoryId !== null) {
    const repository = await trx
      .selectFrom("repositories")
      .select("id")
      .where("id", "=", run.repositoryId)
      .where("organization_id", "=", organizationId)
      .executeTakeFirst();
    if (repository === undefined) {
      throw new Error(`Organization ${organizationId} has no repository ${run.repositoryId}`);
    }
  }
  if (run.agent !== externalAgent) await requireQueueRoom(trx, organizationId, queueMax);
  const { id } = await trx
    .insertInto("runs")
    .values({
      organization_id: organizationId,
      user_id: userId,
      status: "queued",
      facts_version: factsVersion,
      queued_at: nowMs,
      created_at: nowMs,
      source_type: run.sourceType,
      repository_id: run.repositoryId,
      agent: run.agent,
      model: run.model,
      permission_mode: run.permissionMode,
      mode: run.mode ?? null,
      turn_timeout_s: run.turnTimeoutS ?? null,
      base_branch: run.baseBranch,
      metadata: JSON.stringify(run.metadata),
      isolation: null,
      mcp_servers: run.mcpServers === undefined ? null : mcpServersColumn(run.mcpServers),
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  await insertRunMetadata(trx, { organizationId, id }, run.metadata);
  await addWaitingTurn(trx, id, run, userId, nowMs);
  await setRunWebhooks(trx, { organizationId, id }, run.webhooks ?? [], nowMs);
  return id;
}
