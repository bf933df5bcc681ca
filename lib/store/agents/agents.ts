import { z } from "zod";
import { Agent } from "#lib/contract/runs/agent.ts";
import { MachineIsolation } from "#lib/contract/runs/isolation.ts";
import type { Dialect } from "#lib/store/dialect.ts";

const Marked = z.object({ id: z.string(), mark: z.string() });

/** Agents as an engine last found them. */
export function agentStore({ writer, reader }: Dialect) {
  return {
    /** Replaces the list with an engine's latest findings. `mark` identifies the version of the agent's command. */
    async replaceAll(agents: (Agent & { mark?: string | null })[]): Promise<void> {
      await writer.transaction().execute(async (trx) => {
        await trx.deleteFrom("agents").execute();
        for (const [position, agent] of agents.entries()) {
          await trx
            .insertInto("agents")
            .values({ position, agent: JSON.stringify(agent) })
            .execute();
        }
      });
    },

    async list(): Promise<Agent[]> {
      const rows = await reader.selectFrom("agents").select("agent").orderBy("position").execute();
      // A list written by an engine of another version is ignored until one of this version checks again.
      return rows.flatMap(({ agent }) => Agent.safeParse(JSON.parse(agent)).data ?? []);
    },

    /** Marks by agent id, of the agents that have one. */
    async marks(): Promise<Map<string, string>> {
      const rows = await reader.selectFrom("agents").select("agent").execute();
      return new Map(
        rows.flatMap(({ agent }): [string, string][] => {
          const marked = Marked.safeParse(JSON.parse(agent)).data;
          return marked === undefined ? [] : [[marked.id, marked.mark]];
        }),
      );
    },

    /** Stores an engine's findings about the machine on which agents work, replacing earlier ones. */
    async putMachine(machine: MachineIsolation): Promise<void> {
      const found = JSON.stringify(machine);
      await writer
        .insertInto("agent_isolation")
        .values({ found })
        .onConflict((conflict) => conflict.column("machine_id").doUpdateSet({ found }))
        .execute();
    },

    /** Notes why the agents file is not used, so that its last valid version applies; null: it is used. */
    async putFileProblem(problem: string | null): Promise<void> {
      if (problem === null) {
        await writer.deleteFrom("agents_file_status").execute();
        return;
      }
      await writer
        .insertInto("agents_file_status")
        .values({ problem })
        .onConflict((conflict) => conflict.column("machine_id").doUpdateSet({ problem }))
        .execute();
    },

    async findFileProblem(): Promise<string | null> {
      return (await reader.selectFrom("agents_file_status").select("problem").executeTakeFirst())?.problem ?? null;
    },

    /** Null before an engine of this version has checked. */
    async findMachine(): Promise<MachineIsolation | null> {
      const row = await reader.selectFrom("agent_isolation").select("found").executeTakeFirst();
      return row === undefined ? null : (MachineIsolation.safeParse(JSON.parse(row.found)).data ?? null);
    },
  };
}

export type AgentStore = ReturnType<typeof agentStore>;
