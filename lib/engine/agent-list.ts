import type { AgentDriver, AgentProfile, FoundAgent } from "#lib/agents/agent.ts";
import {
  answeredEarlier,
  hasAnswered,
  isUsable,
  masked,
  unaskedAgent,
  withAnnounced,
  withEarlierCommands,
} from "#lib/agents/found-agent.ts";
import { defaultAgent } from "#lib/agents/profiles.ts";
import type { Agent, Announced } from "#lib/contract/runs/agent.ts";
import type { Isolation, MachineIsolation } from "#lib/contract/runs/isolation.ts";
import type { Store } from "#lib/store/store.ts";
import type { EngineLogger } from "./engine-parts.ts";
import { PeriodicTask } from "./periodic-task.ts";

/**
 * How an agent's runs are isolated, or in `problem` why they cannot start. `reason`: why on the leash; null behind the wall.
 * `wallProblem`: why the wall would not be available if it were required; null if it would.
 */
export type FoundIsolation = {
  isolation: Isolation;
  reason: string | null;
  wallProblem: string | null;
  problem: string | null;
};

/** How often to check whether agents were added, changed or removed, in milliseconds. Only changed agents are started and asked. */
const lookMs = 30_000;
const trouble = "the agents could not be checked";
/** An agent that did not answer well is asked again on the next check, then after 2, 4 and 8 more, then on every tenth. */
const looksBetweenMax = 10;

/** Most characters kept of the reason why the agents file is not used. */
const fileProblemMax = 1000;

type Parts = {
  store: Store;
  driver: AgentDriver;
  /** The current profiles; after a failed read, the previous ones. */
  readProfiles: () => Promise<AgentProfile[]>;
  /** Why the agents file as it was last read is not used; null if it is. */
  fileProblem: () => string | null;
  /** The names of the variables that an agent is given, in order. */
  environmentOf: (profile: AgentProfile) => string[];
  /**
   * Identifies a command and its version, so that a newer one of the same name counts as changed; null if there is no such
   * program.
   */
  markOf: (profile: AgentProfile) => Promise<string | null>;
  isolationOf: (profile: AgentProfile) => Promise<FoundIsolation>;
  findMachine: () => Promise<MachineIsolation>;
  /** Masks secrets in an agent's own words, which everybody sees. */
  mask: (words: string) => string;
  /** Time limit for each answer of an agent. */
  startMs: number;
  logger: Pick<EngineLogger, "error">;
};

/** What is known of one agent. `again`: on which check it is asked again; null: only when it changed. */
type Known = { profile: AgentProfile; mark: string | null; found: FoundAgent; failures: number; again: number | null };

/** Commands that an agent announced in a run. */
type Announcement = { agent: string; organizationId: number; known: Known; commands: Announced["commands"] };

/**
 * Keeps the store's list of agents current: which are ready, what they announce, and why the others are not ready. The first list
 * is written at once, from what is installed and what the agents answered to an earlier engine; then each installed agent is
 * asked, one after another. An agent that is slow to answer keeps its last good answer.
 */
export class AgentList extends PeriodicTask {
  readonly #parts: Parts;
  #known = new Map<string, Known>();
  #looking: Promise<void> = Promise.resolve();
  #looks = 0;
  /** Commands that were announced in runs and are not written yet, the last ones of each agent and organization. */
  readonly #announced = new Map<string, Announcement>();
  /** Waits for agents that have answered but not yet announced their commands. */
  readonly #late = new Set<Promise<void>>();
  /** What the store says about the agents file; undefined: nothing has been written yet. */
  #fileProblem: string | null | undefined;
  /** Whether the wall held at the last check. */
  #held: boolean | null = null;

  constructor(parts: Parts) {
    super({ everyMs: lookMs, logger: parts.logger, trouble });
    this.#parts = parts;
  }

  /** Resolves when the first list is written; the agents' own responses follow, and then the checks. */
  async open(): Promise<void> {
    const { store } = this.#parts;
    const [earlier, marks] = await Promise.all([store.agents.list(), store.agents.marks()]);
    const unasked: Known[] = [];
    for (const profile of await this.#parts.readProfiles()) {
      const known = await this.#meet(profile);
      if (profile.hasModel && known.mark === null) await this.#ask(known);
      else if (profile.hasModel) {
        unasked.push(known);
        const answer = earlier.find(({ id }) => id === profile.id);
        if (answer !== undefined && marks.get(profile.id) === known.mark)
          known.found = answeredEarlier(profile, answer);
      }
    }
    await this.#noteFileProblem();
    await this.#lookAtMachine();
    await this.#publish();
    this.#then(() => this.#askAll(unasked));
    this.#then(async () => this.start());
  }

  override async stop(): Promise<void> {
    await super.stop();
    await this.#looking;
    await Promise.all(this.#late);
  }

  /** After what is in progress, such as the commands of a run's agent. */
  protected work(): Promise<void> {
    this.#then(() => this.#lookAgain());
    return this.#looking;
  }

  /**
   * Records what an agent announced in a run's session, as its latest announcement, unless the run used a version other than the
   * installed one. Some of its commands are files of the run's repository or organization, and this list is for all: they are
   * kept for the organization alone.
   */
  learn(run: { agent: string; organizationId: number }, announced: Announced, version: string | null): void {
    const known = this.#known.get(run.agent);
    if (known === undefined || !speaksFor(known, version)) return;
    const key = `${run.organizationId} ${run.agent}`;
    if (!this.#announced.has(key)) this.#then(() => this.#keepCommands(key));
    this.#announced.set(key, { ...run, known, commands: announced.commands });
    const merged = { ...announced, commands: known.found.announced?.commands ?? [] };
    if (JSON.stringify(known.found.announced) === JSON.stringify(merged)) return;
    known.found = withAnnounced({ ...known.found, version, models: known.profile.models }, merged);
    this.#then(() => this.#publish());
  }

  /** Queues the work after the current one. If it throws, neither the engine nor later checks are affected. */
  #then(work: () => Promise<void>): void {
    this.#looking = this.#looking
      .then(work)
      .catch((error: unknown) => this.#parts.logger.error({ err: error }, trouble));
  }

  /** Writes the commands that were announced last, unless the agent's version has been replaced in the meantime. */
  async #keepCommands(key: string): Promise<void> {
    const told = this.#announced.get(key);
    this.#announced.delete(key);
    if (told === undefined || this.signal.aborted || this.#known.get(told.agent) !== told.known) return;
    const { agent: agentId, organizationId, known } = told;
    const { mask } = this.#parts;
    const commands = told.commands.map(({ name, description, hint }) => ({
      ...{ name: mask(name), description: mask(description), hint: hint === null ? null : mask(hint) },
    }));
    if (known.mark === null || commands.length === 0) return;
    await this.#parts.store.agentCommands.put(organizationId, { agentId, mark: known.mark, commands });
  }

  /** Asks an agent now, after a sign-in to it. Resolves when its answer is listed. */
  async askAgain(id: string): Promise<void> {
    this.#then(async () => {
      const known = this.#known.get(id);
      if (known !== undefined && known.mark !== null) await this.#askAll([known]);
    });
    await this.#looking;
  }

  async #askAll(agents: Known[]): Promise<void> {
    for (const known of agents) {
      if (this.signal.aborted) return;
      await this.#ask(known);
      await this.#publish();
    }
  }

  async #meet(profile: AgentProfile): Promise<Known> {
    const mark = await this.#parts.markOf(profile);
    const known = { profile, mark, found: unaskedAgent(profile), failures: 0, again: null };
    this.#known.set(profile.id, known);
    return known;
  }

  async #ask(known: Known): Promise<void> {
    const { driver, startMs, mask } = this.#parts;
    const { profile, found: before } = known;
    const onLate = (announced: Promise<Announced | null>) => this.#listenOn(known, announced);
    const found = withEarlierCommands(masked(await driver.probe(profile, this.signal, startMs, onLate), mask), before);
    // Slow is not gone: what it answered before still holds.
    known.found = found.state === "slow" && hasAnswered(before) ? { ...before, ...latenessOf(found) } : found;
    const isWell = ["ready", "too_old", "not_installed"].includes(found.state);
    known.failures = isWell ? 0 : known.failures + 1;
    known.again = isWell ? null : this.#looks + Math.min(looksBetweenMax, 2 ** (known.failures - 1));
  }

  /** Takes the commands that an agent announces after it has answered, if it is still the same. */
  #listenOn(known: Known, announced: Promise<Announced | null>): void {
    const heard = announced.then((late) => {
      if (late === null || this.#known.get(known.profile.id) !== known || known.found.announced === null) return;
      const { commands } = late;
      known.found = { ...known.found, announced: { ...known.found.announced, commands } };
      this.#then(() => this.#publish());
    });
    this.#late.add(heard);
    void heard.finally(() => this.#late.delete(heard));
  }

  async #lookAgain(): Promise<void> {
    this.#looks += 1;
    const before = this.#known;
    this.#known = new Map();
    const changed: Known[] = [];
    let isOtherList = false;
    for (const profile of await this.#parts.readProfiles()) {
      const earlier = before.get(profile.id);
      before.delete(profile.id);
      const mark = await this.#parts.markOf(profile);
      const isSame = earlier !== undefined && earlier.mark === mark && isEqual(earlier.profile, profile);
      if (isSame) this.#known.set(profile.id, earlier);
      else isOtherList = true;
      const known = isSame ? earlier : await this.#meet(profile);
      if (profile.hasModel && (!isSame || (known.again !== null && known.again <= this.#looks))) changed.push(known);
    }
    await this.#noteFileProblem();
    if ((isOtherList && changed.length === 0) || before.size > 0) await this.#publish();
    await this.#askAll(changed);
    const held = this.#held;
    // If the wall did not hold, it may have been fixed, which changes how every agent is isolated.
    if ((await this.#lookAtMachine()) !== held && changed.length === 0) await this.#publish();
  }

  async #noteFileProblem(): Promise<void> {
    const { store, fileProblem, mask } = this.#parts;
    const problem = fileProblem();
    if (problem === this.#fileProblem || this.signal.aborted) return;
    const words = problem === null ? null : mask(problem).slice(0, fileProblemMax);
    const wrote = await store.agents.putFileProblem(words).then(
      () => true,
      () => false,
    );
    if (wrote) this.#fileProblem = problem;
  }

  /** Returns whether the wall holds, and notes what was found. */
  async #lookAtMachine(): Promise<boolean> {
    const { store, findMachine } = this.#parts;
    const machine = await findMachine();
    this.#held = machine.holds;
    if (!this.signal.aborted) await store.agents.putMachine(machine).catch(() => undefined);
    return machine.holds;
  }

  async #publish(): Promise<void> {
    const agents: (Omit<Agent, "is_default"> & { mark: string | null })[] = [];
    for (const { profile, found, mark } of this.#known.values()) {
      const { isolation, reason, wallProblem, problem } = await this.#parts.isolationOf(profile);
      const environment = this.#parts.environmentOf(profile);
      const kept = { ...found, environment, isolation, isolation_reason: reason, wall_problem: wallProblem, mark };
      const barred = { ...kept, state: "not_working" as const, ready: false, reason: problem };
      agents.push(problem === null || !found.ready ? kept : barred);
    }
    const chosen = defaultAgent(agents.filter((agent) => !agent.has_model || isUsable(agent)));
    const list = agents.map((agent) => ({ ...agent, is_default: agent.id === chosen?.id }));
    // A list that could not be written is written with the next check; runs check their agent again when they start.
    if (!this.signal.aborted) await this.#parts.store.agents.replaceAll(list).catch(() => undefined);
  }
}

/** Whether what an agent of this version says applies to the installed one, whose version is unknown if it was slow to answer. */
function speaksFor({ profile, mark, found }: Known, version: string | null): boolean {
  if (!profile.hasModel || mark === null) return false;
  return found.version === version || (found.version === null && found.state === "slow");
}

function latenessOf({ state, reason, checked_at }: FoundAgent) {
  return { state, reason, checked_at };
}

function isEqual(one: AgentProfile, other: AgentProfile): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
