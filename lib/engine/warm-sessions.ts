import type { AgentHost, AgentSession } from "#lib/agents/agent.ts";
import type { Claimed } from "#lib/store/store.ts";
import type { RunSecrets } from "./run-secrets.ts";
import type { TurnPlace } from "./turn-place.ts";

/** The agent of a run between two turns: its process exists but is stopped, so that no process of the run is active. */
export type WarmSession = {
  session: AgentSession;
  place: TurnPlace;
  /** Mark of what the place was opened with: a turn with another mark opens a new place. */
  mark: string;
  secrets: RunSecrets;
  host: BoundHost;
  /** Read by the place whenever it writes: the next turn puts its own claim here (`turn-session.ts`). */
  claimed: Claimed;
};

/** The host of a session that outlives an attempt: forwards everything to the current attempt's host. */
export class BoundHost implements AgentHost {
  #host: AgentHost;

  constructor(host: AgentHost) {
    this.#host = host;
  }

  bind(host: AgentHost): void {
    this.#host = host;
  }

  onEntries: AgentHost["onEntries"] = (entries) => this.#host.onEntries(entries);
  onProgress: AgentHost["onProgress"] = (read) => this.#host.onProgress(read);
  onFigures: AgentHost["onFigures"] = (...told) => this.#host.onFigures(...told);
  onState: AgentHost["onState"] = (state) => this.#host.onState(state);
  onAnnounced: NonNullable<AgentHost["onAnnounced"]> = (...told) => this.#host.onAnnounced?.(...told);
  ask: AgentHost["ask"] = (question) => this.#host.ask(question);
}

/**
 * Agents that have ended a turn, kept for `keepMs` in case their run continues: a new process would have to load its session, which
 * takes seconds, and some agents cannot. They hold no slot, and the oldest go first if others need the room.
 */
export class WarmSessions {
  readonly #keepMs: number;
  readonly #isAtWork: (runId: number) => boolean;
  readonly #kept = new Map<number, { warm: WarmSession; timer: NodeJS.Timeout }>();
  readonly #closing = new Map<number, Promise<void>>();
  #isClosed = false;

  /** `keepMs` 0: none is kept. The agent of a run at work, for example between two turns, uses that run's slot and stays. */
  constructor(keepMs: number, isAtWork: (runId: number) => boolean = () => false) {
    this.#keepMs = keepMs;
    this.#isAtWork = isAtWork;
  }

  get isOff(): boolean {
    return this.#keepMs === 0 || this.#isClosed;
  }

  /** Whether an agent of the run is kept, or is ending. */
  has(runId: number): boolean {
    return this.#kept.has(runId) || this.#closing.has(runId);
  }

  /** Keeps the frozen session of a run. */
  keep(runId: number, warm: WarmSession): void {
    const timer = setTimeout(() => this.#expire(runId), this.#keepMs);
    this.#kept.set(runId, { warm, timer });
    if (this.#isClosed) void this.#drop(runId);
  }

  /** The run's session, resumed, if it fits the next turn; otherwise closes it and returns null. */
  async take(runId: number, mark: string): Promise<WarmSession | null> {
    // Before a place is opened again, no process of the run may be alive.
    await this.#closing.get(runId);
    const found = this.#kept.get(runId);
    if (found === undefined) return null;
    const { session, place } = found.warm;
    const fits =
      found.warm.mark === mark &&
      !session.hasEnded &&
      (await place.enclosure.resume().catch(() => false)) &&
      (await session.thaw().then(
        () => true,
        () => false,
      ));
    // Meanwhile its time may have run out, or its room may have been taken.
    if (!fits || this.#kept.get(runId) !== found) {
      await this.#drop(runId);
      return null;
    }
    clearTimeout(found.timer);
    this.#kept.delete(runId);
    return found.warm;
  }

  /** Ends the oldest until at most `most` are left, not counting that of `runId` and those of runs at work. */
  async limitTo(most: number, runId: number): Promise<void> {
    const others = [...this.#kept.keys()].filter((id) => id !== runId && !this.#isAtWork(id));
    const excess = Math.max(0, others.length - Math.max(0, most));
    await Promise.all(others.slice(0, excess).map((id) => this.#drop(id)));
  }

  /** Ends the agent of a run whose files are to be removed; true as long as it still exists. */
  end(runId: number): boolean {
    if (this.#kept.has(runId)) void this.#drop(runId);
    return this.#closing.has(runId);
  }

  /** Ends the agent of a run, if one is kept; resolves when it has ended. */
  async drop(runId: number): Promise<void> {
    this.end(runId);
    await this.#closing.get(runId);
  }

  /** Ends every kept agent, and from now on each one as soon as it is kept. */
  async closeAll(): Promise<void> {
    this.#isClosed = true;
    for (const runId of this.#kept.keys()) void this.#drop(runId);
    await Promise.all(this.#closing.values());
  }

  #expire(runId: number): void {
    const found = this.#kept.get(runId);
    if (found === undefined) return;
    if (this.#isAtWork(runId)) found.timer = setTimeout(() => this.#expire(runId), this.#keepMs);
    else void this.#drop(runId);
  }

  #drop(runId: number): Promise<void> {
    const found = this.#kept.get(runId);
    if (found === undefined) return this.#closing.get(runId) ?? Promise.resolve();
    clearTimeout(found.timer);
    this.#kept.delete(runId);
    const closing = closeWarm(found.warm).finally(() => this.#closing.delete(runId));
    this.#closing.set(runId, closing);
    return closing;
  }
}

/** Ends the stopped agent without resuming it: its run's work may be committed at this moment. */
async function closeWarm({ session, place }: WarmSession): Promise<void> {
  await session.close();
  await place.close();
}
