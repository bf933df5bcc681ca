import type { AgentDriver, AgentProfile } from "#lib/agents/agent.ts";
import type { Store } from "#lib/store/store.ts";
import type { EngineLogger } from "./engine-parts.ts";

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
  lookMs?: number;
  limitMs?: number;
};

/** Carries out the requests to sign in to agents, one after another. */
export class AgentSignIns {
  readonly #parts: Parts;
  readonly #abort = new AbortController();
  #timer: NodeJS.Timeout | null = null;
  #working: Promise<void> = Promise.resolve();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Marks sign-ins that an earlier engine left unfinished as failed, then starts to look for requests. */
  start(): void {
    const { store, logger } = this.#parts;
    this.#working = store.agentSignIns
      .endAll("Errand was restarted before the sign-in ended.")
      .catch((error: unknown) => logger.error({ err: error }, "unfinished sign-ins could not be ended"))
      .finally(() => this.#lookLater());
  }

  /** Resolves when nothing is in progress. */
  async stop(): Promise<void> {
    this.#abort.abort();
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#working;
  }

  #lookLater(): void {
    if (this.#abort.signal.aborted) return;
    this.#timer = setTimeout(() => {
      this.#working = this.#look().finally(() => this.#lookLater());
    }, this.#parts.lookMs ?? lookMsDefault);
  }

  async #look(): Promise<void> {
    const { store, logger } = this.#parts;
    try {
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
      logger.info({ agent: asked.agentId, signedIn: error === null }, "someone signed in to an agent");
    } catch (error) {
      logger.error({ err: error }, "a sign-in to an agent could not be carried out");
    }
  }

  async #signIn(agentId: string, method: string): Promise<string | null> {
    const { driver, readProfiles, limitMs = limitMsDefault } = this.#parts;
    const profile = (await readProfiles()).find(({ id }) => id === agentId);
    if (profile === undefined) return "The agent is no longer there.";
    return driver.authenticate(profile, method, this.#abort.signal, limitMs);
  }
}
