import type { AgentDriver, AgentProfile } from "#lib/agents/agent.ts";
import type { Store } from "#lib/store/store.ts";
import type { EngineLogger } from "./engine-parts.ts";
import { PeriodicTask } from "./periodic-task.ts";

/** How often to look for requests, in milliseconds. */
const lookMsDefault = 1000;
/** Time limit of a sign-in: long enough for somebody to confirm it in a browser. */
const limitMsDefault = 180_000;

type Parts = {
  store: Pick<Store, "agentSignIns" | "agentRefusals">;
  driver: Pick<AgentDriver, "authenticate">;
  readProfiles: () => Promise<AgentProfile[]>;
  /** Asks the agent again, and lists what it answers. */
  askAgain: (agentId: string) => Promise<void>;
  /** Masks secrets in an agent's own words. */
  mask: (words: string) => string;
  logger: EngineLogger;
  limitMs?: number;
};

/** Carries out the requests to sign in to agents, one after another. */
export class AgentSignIns extends PeriodicTask {
  readonly #parts: Parts;

  constructor({ lookMs = lookMsDefault, ...parts }: Parts & { lookMs?: number }) {
    super({ everyMs: lookMs, logger: parts.logger, trouble: "a sign-in to an agent could not be carried out" });
    this.#parts = parts;
  }

  protected async work(): Promise<void> {
    const { store, logger } = this.#parts;
    const asked = await store.agentSignIns.claim();
    if (asked === null) return;
    const error = await this.#signIn(asked.agentId, asked.method).catch((cause: unknown) => {
      logger.error({ err: cause }, "a sign-in to an agent failed");
      return "The sign-in failed; Errand's log says why.";
    });
    if (error === null) {
      await store.agentRefusals.clear(asked.organizationId, [asked.agentId]);
      await this.#parts.askAgain(asked.agentId);
    }
    await store.agentSignIns.end(asked.agentId, error === null ? null : this.#parts.mask(error));
    logger.info({ agent: asked.agentId, signedIn: error === null }, "a sign-in to an agent ended");
  }

  async #signIn(agentId: string, method: string): Promise<string | null> {
    const { driver, readProfiles, limitMs = limitMsDefault } = this.#parts;
    const profile = (await readProfiles()).find(({ id }) => id === agentId);
    if (profile === undefined) return "The agent is no longer there.";
    return driver.authenticate(profile, method, this.signal, limitMs);
  }
}
