import { Agent } from "#lib/contract/agent.ts";
import type { Dialect } from "./dialect.ts";
import type { AgentStore } from "./store.ts";

/** The agents as an engine found them last. */
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
      // What an engine of another version found is left out until one of this version looks again.
      return rows.flatMap(({ agent }) => Agent.safeParse(JSON.parse(agent)).data ?? []);
    },
  };
}
