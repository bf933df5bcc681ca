import type { AgentHost, AgentSession } from "#lib/agents/agent.ts";
import type { Claimed } from "#lib/store/store.ts";
import type { RunSecrets } from "./run-secrets.ts";
import type { TurnPlace } from "./turn-place.ts";

/** The agent of a run between two turns: its process is there and stopped, so that nothing of the run is at work. */
export type WarmSession = {
  session: AgentSession;
  place: TurnPlace;
  /** What the place was opened for: a turn that needs another one opens it anew. */
  mark: string;
  secrets: RunSecrets;
  host: BoundHost;
  /** Read by the place whenever it writes: {@link rebind} gives it the claim of the next turn. */
  claimed: Claimed;
};

/** The host of a session that outlives an attempt: it passes everything on to that of the attempt which works. */
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
  onFigures: AgentHost["onFigures"] = (figures) => this.#host.onFigures(figures);
  onState: AgentHost["onState"] = (state) => this.#host.onState(state);
  onAnnounced: NonNullable<AgentHost["onAnnounced"]> = (announced) => this.#host.onAnnounced?.(announced);
  ask: AgentHost["ask"] = (question) => this.#host.ask(question);
}

/**
 * Agents that have ended a turn, kept for `keepMs` in case their run goes on: a new process would have to load its session, which
 * takes seconds and some cannot. They hold no slot, and the oldest go first where others need the room.
 */
export class WarmSessions {
  readonly #keepMs: number;
  readonly #kept = new Map<number, { warm: WarmSession; timer: NodeJS.Timeout }>();
  readonly #closing = new Map<number, Promise<void>>();
  #isClosed = false;

  /** 0: none is kept. */
  constructor(keepMs: number) {
    this.#keepMs = keepMs;
  }

  get isOff(): boolean {
    return this.#keepMs === 0 || this.#isClosed;
  }

  /** Keeps the frozen session of a run. */
  keep(runId: number, warm: WarmSession): void {
    const timer = setTimeout(() => void this.#drop(runId), this.#keepMs);
    this.#kept.set(runId, { warm, timer });
    if (this.#isClosed) void this.#drop(runId);
  }

  /** The run's session, going on, where it fits the next turn; else it is closed, and null. */
  async take(runId: number, mark: string): Promise<WarmSession | null> {
    // Where a place is opened anew, nothing of the run may be alive.
    await this.#closing.get(runId);
    const found = this.#kept.get(runId);
    if (found === undefined) return null;
    const { session, place } = found.warm;
    const fits = found.warm.mark === mark && !session.hasEnded && (await place.enclosure.goOn().catch(() => false));
    // Meanwhile its time may have been over, or its room taken.
    if (!fits || this.#kept.get(runId) !== found) {
      await this.#drop(runId);
      return null;
    }
    clearTimeout(found.timer);
    this.#kept.delete(runId);
    await session.thaw();
    return found.warm;
  }

  /** Ends the oldest until at most so many are left beside the one of `runId`. */
  async limitTo(most: number, runId: number): Promise<void> {
    const others = [...this.#kept.keys()].filter((id) => id !== runId);
    const excess = Math.max(0, others.length - Math.max(0, most));
    await Promise.all(others.slice(0, excess).map((id) => this.#drop(id)));
  }

  /** Ends the agent of a run whose files are to be removed; true as long as it is there. */
  end(runId: number): boolean {
    if (this.#kept.has(runId)) void this.#drop(runId);
    return this.#closing.has(runId);
  }

  /** Ends the agent of a run, if one is kept; resolves when it has ended. */
  async drop(runId: number): Promise<void> {
    this.end(runId);
    await this.#closing.get(runId);
  }

  /** Ends all of them, and whatever is kept from now on. */
  async closeAll(): Promise<void> {
    this.#isClosed = true;
    for (const runId of this.#kept.keys()) void this.#drop(runId);
    await Promise.all(this.#closing.values());
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

/** Ends the agent as it is, without letting it go on: its run's work may be committed at this moment. */
async function closeWarm({ session, place }: WarmSession): Promise<void> {
  await session.close();
  await place.close();
}
