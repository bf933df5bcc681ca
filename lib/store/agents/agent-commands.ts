import { z } from "zod";
import { Announced } from "#lib/contract/runs/agent.ts";
import type { Dialect } from "#lib/store/dialect.ts";
import { instantOf, type Now } from "#lib/store/instant.ts";

const Commands = z.array(Announced.shape.commands.element);
type Commands = z.infer<typeof Commands>;

/** The commands that an agent last announced in a run of the organization. `mark`: of the agent's command and version, see AgentStore. */
export type AgentCommandsRow = { agentId: string; mark: string; commands: Commands; at: string };

/** Commands that agents announced in runs: some are files of the run's repository, so they are its organization's alone. */
export function agentCommandStore({ writer, reader }: Dialect, now: Now) {
  const select = (organizationId: number) =>
    reader.selectFrom("agent_commands").selectAll().where("organization_id", "=", organizationId);
  return {
    async list(organizationId: number): Promise<AgentCommandsRow[]> {
      const rows = await select(organizationId).orderBy("agent_id").execute();
      // Those that an engine of another version has written are left out.
      return rows.flatMap(({ agent_id: agentId, mark, commands: json, told_at }) => {
        const commands = Commands.safeParse(JSON.parse(json)).data;
        return commands === undefined ? [] : [{ agentId, mark, commands, at: instantOf(told_at) }];
      });
    },

    /** Replaces those of the agent. Writes nothing if they are the same. */
    async put(
      organizationId: number,
      { agentId: agent_id, mark, commands: told }: Pick<AgentCommandsRow, "agentId" | "mark" | "commands">,
    ): Promise<void> {
      const commands = JSON.stringify(told);
      const kept = await select(organizationId).where("agent_id", "=", agent_id).executeTakeFirst();
      if (kept?.mark === mark && kept.commands === commands) return;
      const values = { mark, commands, told_at: now() };
      await writer
        .insertInto("agent_commands")
        .values({ organization_id: organizationId, agent_id, ...values })
        .onConflict((conflict) => conflict.columns(["organization_id", "agent_id"]).doUpdateSet(values))
        .execute();
    },
  };
}
