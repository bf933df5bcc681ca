import { z } from "zod";
import { Agent } from "#lib/contract/agent.ts";
import { MachineIsolation } from "#lib/contract/isolation.ts";
import type { Dialect } from "./dialect.ts";
import type { AgentStore } from "./queue-store.ts";

const Marked = z.object({ id: z.string(), mark: z.string() });

/** Agents as an engine last found them. */
export function agentStore({ writer, reader }: Dialect): AgentStore {
  return {
    async replaceAll(agents) {
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

    async list() {
      const rows = await reader.selectFrom("agents").select("agent").orderBy("position").execute();
      // A list written by an engine of another version is ignored until one of this version checks again.
      return rows.flatMap(({ agent }) => Agent.safeParse(JSON.parse(agent)).data ?? []);
    },

    async marks() {
      const rows = await reader.selectFrom("agents").select("agent").execute();
      return new Map(
        rows.flatMap(({ agent }): [string, string][] => {
          const marked = Marked.safeParse(JSON.parse(agent)).data;
          return marked === undefined ? [] : [[marked.id, marked.mark]];
        }),
      );
    },

    async putMachine(machine) {
      const found = JSON.stringify(machine);
      await writer
        .insertInto("machine_isolation")
        .values({ id: 1, found })
        .onConflict((conflict) => conflict.column("id").doUpdateSet({ found }))
        .execute();
    },

    async putFileProblem(problem) {
      if (problem === null) {
        await writer.deleteFrom("agents_file").execute();
        return;
      }
      await writer
        .insertInto("agents_file")
        .values({ id: 1, problem })
        .onConflict((conflict) => conflict.column("id").doUpdateSet({ problem }))
        .execute();
    },

    async findFileProblem() {
      return (await reader.selectFrom("agents_file").select("problem").executeTakeFirst())?.problem ?? null;
    },

    async findMachine() {
      const row = await reader.selectFrom("machine_isolation").select("found").executeTakeFirst();
      return row === undefined ? null : (MachineIsolation.safeParse(JSON.parse(row.found)).data ?? null);
    },
  };
}
