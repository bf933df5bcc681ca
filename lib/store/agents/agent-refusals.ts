import type { Transaction } from "kysely";
import { cutText } from "#lib/cut-text.ts";
import type { Dialect } from "#lib/store/dialect.ts";
import { instantOf } from "#lib/store/instant.ts";
import type { Schema } from "#lib/store/schema.ts";

/** An agent that runs of the organization cannot use because it is not signed in, and since when. */
export type AgentRefusal = { agentId: string; since: string; words: string; hint: string | null };

/**
 * The state of an agent's sign-in at the end of a turn. `variables`: the names of the agent's keys. `refused`: the endpoint's words
 * and how to sign in; null: the agent has worked.
 */
export type SignInNote = { variables: readonly string[]; refused: { words: string; hint: string | null } | null };

/** Maximum stored length of an endpoint's words. Cut here, after secrets in them were masked. */
const wordsMax = 200;

/** Agents that runs found signed out, per organization, because each organization may have its own keys. */
export function agentRefusalStore({ writer, reader }: Dialect) {
  return {
    /** By agent id. */
    async list(organizationId: number): Promise<AgentRefusal[]> {
      const rows = await reader
        .selectFrom("agent_refusals")
        .selectAll()
        .where("organization_id", "=", organizationId)
        .orderBy("agent_id")
        .execute();
      return rows.map(({ agent_id, since, words, hint }) => ({
        ...{ agentId: agent_id, since: instantOf(since), words, hint },
      }));
    },

    /** Forgets the refusals of these agents: something about their sign-in has changed. */
    async clear(organizationId: number, agentIds: readonly string[]): Promise<void> {
      if (agentIds.length === 0) return;
      await writer
        .deleteFrom("agent_refusals")
        .where("organization_id", "=", organizationId)
        .where("agent_id", "in", agentIds)
        .execute();
    },
  };
}

export type AgentRefusalStore = ReturnType<typeof agentRefusalStore>;

/**
 * Records for the run's organization whether the agent was signed in, at the end of a turn that is still active. Does nothing if
 * the repository has a key of its own, and ignores a refusal if the key was replaced during the turn.
 */
export async function noteSignIn(
  trx: Transaction<Schema>,
  runId: number,
  { variables, refused }: SignInNote,
  nowMs: number,
): Promise<void> {
  const run = await trx
    .selectFrom("runs")
    .innerJoin("turns", (join) => join.onRef("turns.run_id", "=", "runs.id").on("turns.state", "=", "active"))
    .select(["runs.organization_id", "runs.repository_id", "runs.agent", "turns.started_at"])
    .where("runs.id", "=", runId)
    .executeTakeFirst();
  if (run === undefined) return;
  const { organization_id, repository_id, agent: agent_id } = run;
  const keys =
    variables.length === 0
      ? []
      : await trx
          .selectFrom("agent_keys")
          .select(["repository_id", "changed_at"])
          .where("organization_id", "=", organization_id)
          .where("variable", "in", variables)
          .execute();
  if (repository_id !== null && keys.some((key) => key.repository_id === repository_id)) return;
  if (refused === null) {
    await trx
      .deleteFrom("agent_refusals")
      .where("organization_id", "=", organization_id)
      .where("agent_id", "=", agent_id)
      .execute();
    return;
  }
  if (keys.some((key) => key.repository_id === null && key.changed_at > (run.started_at ?? 0))) return;
  const kept = { ...refused, words: cutText(refused.words, wordsMax) };
  await trx
    .insertInto("agent_refusals")
    .values({ organization_id, agent_id, since: nowMs, ...kept })
    .onConflict((conflict) => conflict.columns(["organization_id", "agent_id"]).doUpdateSet(kept))
    .execute();
}
