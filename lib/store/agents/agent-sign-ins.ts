import type { Selectable } from "kysely";
import { claimOne } from "#lib/store/claim-one.ts";
import type { Dialect } from "#lib/store/dialect.ts";
import { instantOf, type Now } from "#lib/store/instant.ts";
import type { Schema } from "#lib/store/schema.ts";
import { statement } from "#lib/store/statement.ts";

/** A request to sign in to an agent by one of its own methods, and how it went; the last one of each agent is kept. */
export type AgentSignInRow = {
  agentId: string;
  organizationId: number;
  method: string;
  askedAt: string;
  /** `waiting` until an engine takes it. */
  state: "waiting" | "running" | "signed_in" | "failed";
  /** Why it failed; null otherwise. */
  error: string | null;
};

/** After this time, a request that no engine has ended no longer counts as in progress. */
const abandonedMs = 10 * 60_000;

const oldestWaiting = statement<Record<never, never>, Selectable<Schema["agent_sign_ins"]>>(
  "select * from agent_sign_ins where state = 'waiting' order by asked_at limit 1",
);

/** Requests to sign in to agents, from the API to the engine. */
export function agentSignInStore(dialect: Dialect, now: Now) {
  const { writer, reader } = dialect;
  return {
    /** Whether the organization may ask. Only the service's first organization may: a sign-in applies to all organizations. */
    async isAllowed(organizationId: number): Promise<boolean> {
      const row = await reader
        .selectFrom("organizations")
        .select(({ fn }) => fn.min("id").as("first"))
        .executeTakeFirst();
      return row?.first === organizationId;
    },

    async list(organizationId: number): Promise<AgentSignInRow[]> {
      const rows = await reader
        .selectFrom("agent_sign_ins")
        .selectAll()
        .where("organization_id", "=", organizationId)
        .execute();
      return rows.map(signInRow);
    },

    /** Null if one for the agent is in progress. */
    ask({
      agentId: agent_id,
      organizationId: organization_id,
      method,
    }: Pick<AgentSignInRow, "agentId" | "organizationId" | "method">): Promise<AgentSignInRow | null> {
      return writer.transaction().execute(async (trx) => {
        const asked_at = now();
        const earlier = await trx
          .selectFrom("agent_sign_ins")
          .select(["state", "asked_at"])
          .where("agent_id", "=", agent_id)
          .executeTakeFirst();
        const isOpen = earlier?.state === "waiting" || earlier?.state === "running";
        if (isOpen && earlier.asked_at > asked_at - abandonedMs) return null;
        const values = { organization_id, method, asked_at, state: "waiting" as const, error: null };
        const row = await trx
          .insertInto("agent_sign_ins")
          .values({ agent_id, ...values })
          .onConflict((conflict) => conflict.columns(["agent_id", "machine_id"]).doUpdateSet(values))
          .returningAll()
          .executeTakeFirstOrThrow();
        return signInRow(row);
      });
    },

    /** The oldest that waits, which is then running; null if none does. */
    claim(): Promise<AgentSignInRow | null> {
      return claimOne(dialect, oldestWaiting, {}, async (trx, row) => {
        await trx
          .updateTable("agent_sign_ins")
          .set({ state: "running" })
          .where("agent_id", "=", row.agent_id)
          .execute();
        return signInRow({ ...row, state: "running" });
      });
    },

    /** Ends the one that is running; `error` null: the agent is signed in. */
    async end(agentId: string, error: string | null): Promise<void> {
      await writer
        .updateTable("agent_sign_ins")
        .set({ state: error === null ? "signed_in" : "failed", error })
        .where("agent_id", "=", agentId)
        .where("state", "=", "running")
        .execute();
    },
  };
}

function signInRow(row: Selectable<Schema["agent_sign_ins"]>): AgentSignInRow {
  const { agent_id, organization_id, method, asked_at, state, error } = row;
  return { agentId: agent_id, organizationId: organization_id, method, askedAt: instantOf(asked_at), state, error };
}
