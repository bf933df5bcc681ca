import type { AgentDriver, AgentProfile } from "#lib/agents/agent.ts";
import { defaultAgent } from "#lib/agents/profiles.ts";
import type { Agent } from "#lib/contract/agent.ts";
import type { Isolation, MachineIsolation } from "#lib/contract/isolation.ts";
import type { Store } from "#lib/store/store.ts";

type Found = Omit<Agent, "is_default" | "isolation" | "isolation_reason" | "wall_problem">;

/**
 * How an agent's runs are isolated, or in `problem` why they cannot start. `reason`: why on the leash; null behind the wall.
 * `wallProblem`: why the wall could not be had if it were required; null if it could.
 */
export type FoundIsolation = {
  isolation: Isolation;
  reason: string | null;
  wallProblem: string | null;
  problem: string | null;
};

/** How often to check whether agents were added or removed, in milliseconds. Only a changed one is started and asked … */
const lookMs = 30_000;
/** … and an installed one that did not respond, on every tenth check. */
const looksToAskAgain = 10;

/**
 * Keeps the store's list of agents current: which are ready, and why the others are not. The first list is written at once from
 * what is on the disk; then each installed agent is asked, one after another, for its version.
 */
export class AgentList {
  readonly #store: Store;
  readonly #driver: AgentDriver;
  readonly #profiles: AgentProfile[];
  readonly #isThere: (profile: AgentProfile) => Promise<boolean>;
  readonly #isolationOf: (profile: AgentProfile) => Promise<FoundIsolation>;
  readonly #findMachine: () => Promise<MachineIsolation>;
  readonly #found = new Map<string, Found>();
  readonly #asked = new Set<string>();
  readonly #there = new Map<string, boolean>();
  readonly #abort = new AbortController();
  #timer: NodeJS.Timeout | null = null;
  #looking: Promise<void> = Promise.resolve();
  #looks = 0;
  /** Whether the wall held when it was looked at last. */
  #held: boolean | null = null;

  constructor(parts: {
    store: Store;
    driver: AgentDriver;
    profiles: AgentProfile[];
    isThere: (profile: AgentProfile) => Promise<boolean>;
    isolationOf: (profile: AgentProfile) => Promise<FoundIsolation>;
    findMachine: () => Promise<MachineIsolation>;
  }) {
    this.#store = parts.store;
    this.#driver = parts.driver;
    this.#profiles = parts.profiles;
    this.#isThere = parts.isThere;
    this.#isolationOf = parts.isolationOf;
    this.#findMachine = parts.findMachine;
  }

  /** Resolves when the first list is written; the agents' own responses follow. */
  async start(): Promise<void> {
    const unasked: AgentProfile[] = [];
    for (const profile of this.#profiles) {
      const there = await this.#isThere(profile);
      this.#there.set(profile.id, there);
      if (profile.hasModel && there) {
        unasked.push(profile);
        // Assumed ready until it has been asked: a run that names it need not wait for that.
        this.#found.set(profile.id, blank(profile));
      } else if (profile.hasModel) await this.#ask(profile);
      // The built-in agent is part of this program.
      else this.#found.set(profile.id, blank(profile));
    }
    await this.#lookAtMachine();
    await this.#publish();
    this.#looking = this.#askAll(unasked).then(() => this.#lookAgainLater());
  }

  async stop(): Promise<void> {
    this.#abort.abort();
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#looking;
  }

  async #askAll(profiles: AgentProfile[]): Promise<void> {
    for (const profile of profiles) {
      if (this.#abort.signal.aborted) return;
      await this.#ask(profile);
      await this.#publish();
    }
  }

  async #ask(profile: AgentProfile): Promise<void> {
    this.#asked.add(profile.id);
    this.#found.set(profile.id, await this.#driver.probe(profile, this.#abort.signal));
  }

  #lookAgainLater(): void {
    if (this.#abort.signal.aborted) return;
    this.#timer = setTimeout(() => {
      this.#looking = this.#lookAgain().then(() => this.#lookAgainLater());
    }, lookMs);
  }

  async #lookAgain(): Promise<void> {
    this.#looks += 1;
    const changed: AgentProfile[] = [];
    for (const profile of this.#profiles.filter(({ hasModel }) => hasModel)) {
      const there = await this.#isThere(profile);
      const mute = there && this.#found.get(profile.id)?.ready !== true && this.#looks % looksToAskAgain === 0;
      if (there !== this.#there.get(profile.id) || mute) changed.push(profile);
      this.#there.set(profile.id, there);
    }
    await this.#askAll(changed);
    const held = this.#held;
    // What did not hold may have been fixed, which changes how every agent is isolated.
    if ((await this.#lookAtMachine()) !== held && changed.length === 0) await this.#publish();
  }

  /** Whether the wall holds, and notes what was found. */
  async #lookAtMachine(): Promise<boolean> {
    const machine = await this.#findMachine();
    this.#held = machine.holds;
    if (!this.#abort.signal.aborted) await this.#store.agents.putMachine(machine).catch(() => undefined);
    return machine.holds;
  }

  async #publish(): Promise<void> {
    const known = this.#profiles.flatMap((profile) => ({ profile, found: this.#found.get(profile.id) }));
    const agents: Omit<Agent, "is_default">[] = [];
    for (const { profile, found } of known) {
      if (found === undefined) continue;
      const { isolation, reason, wallProblem, problem } = await this.#isolationOf(profile);
      const kept = { ...found, isolation, isolation_reason: reason, wall_problem: wallProblem };
      agents.push(problem === null || !found.ready ? kept : { ...kept, ready: false, reason: problem });
    }
    const chosen = defaultAgent(agents.filter(({ id, has_model }) => !has_model || this.#asked.has(id)));
    const list = agents.map((agent) => ({ ...agent, is_default: agent.id === chosen?.id }));
    // A list that could not be written is written with the next check; runs check their agent again when they start.
    if (!this.#abort.signal.aborted) await this.#store.agents.replaceAll(list).catch(() => undefined);
  }
}

function blank(profile: AgentProfile): Found {
  return {
    id: profile.id,
    title: profile.title,
    ready: true,
    reason: null,
    version: null,
    has_model: profile.hasModel,
    models: profile.models,
    keys: profile.keys.map(({ variable }) => variable),
    checked_at: new Date().toISOString(),
  };
}
