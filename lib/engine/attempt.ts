import type { AgentHost, AgentProfile, AgentSession, TurnEnd } from "#lib/agents/agent.ts";
import type { PreparedTrace } from "#lib/analyst/prepare-trace.ts";
import type { NewEntry } from "#lib/contract/logs/entry.ts";
import type { Isolation } from "#lib/contract/runs/isolation.ts";
import type { Question } from "#lib/contract/runs/question.ts";
import { summaryOf } from "#lib/contract/runs/run-summary.ts";
import { type Claimed, LeaseLostError, type TurnRow } from "#lib/store/store.ts";
import type { Checkout } from "#lib/workspace/checkout.ts";
import { promptAnalysis } from "./analysis-turn.ts";
import { AttemptError, entryOfError, isInternal } from "./attempt-error.ts";
import { inTime, interruptionEntry, isInterruption, stoppedEntry, userMessageEntry } from "./ending-entries.ts";
import type { EngineParts } from "./engine-parts.ts";
import { type FinishedTurn, finishTurn } from "./finish-turn.ts";
import { chooseForTurn } from "./isolation.ts";
import { keepWork } from "./keep-work.ts";
import { maskedLogger } from "./masked-logger.ts";
import { maskedQueue } from "./masked-queue.ts";
import { openTurnCheckout } from "./open-checkout.ts";
import type { RunLease } from "./run-lease.ts";
import { RunProgress } from "./run-progress.ts";
import { RunSecrets } from "./run-secrets.ts";
import { SetupFailedError } from "./run-setup.ts";
import { keepProposal } from "./setup-proposal.ts";
import type { SetupTurn } from "./setup-turn.ts";
import { signInNoteOf } from "./sign-in-note.ts";
import { briefTurn } from "./turn-brief.ts";
import { turnMessages } from "./turn-messages.ts";
import { openTurnSession } from "./turn-session.ts";
import type { WarmSessions } from "./warm-sessions.ts";

/** Time between asking an agent to end because the service stops and killing it. */
const stoppingGraceMs = 4000;

/**
 * Works on one claimed run until no turn is waiting: checkout, agent session, then for each turn the prompt, the steps as
 * entries, the work committed, the end. Unless the lease is lost, it always leaves an end status and a closing entry.
 */
export async function runAttempt(parts: AttemptParts, claimed: Claimed, held: RunLease): Promise<void> {
  const attempt = new Attempt(parts, claimed, held);
  try {
    await attempt.work();
  } catch (error) {
    if (error instanceof LeaseLostError || held.stopReason === "lease_lost") return;
    throw error;
  } finally {
    held.end();
  }
}

class Attempt {
  readonly #parts: AttemptParts;
  readonly #claimed: Claimed;
  readonly #held: RunLease;
  readonly #progress: RunProgress;
  /** Secrets given to this run, which must not be kept with it. */
  #secrets = new RunSecrets();
  /** The current turn, and whether the agent has been given its prompt (and so has logged it). */
  #turn: TurnRow;
  #prompted = false;
  /** The agent has no session of this run yet, so this turn tells it what it must know about the run. */
  #isNewToAgent = false;
  /** What people must know about the turn's checkout. */
  #notes: NewEntry[] = [];
  /** The agent's latest state for continuing. */
  #state: Record<string, unknown> | null;
  #asking: Promise<unknown> = Promise.resolve();

  constructor(parts: AttemptParts, claimed: Claimed, held: RunLease) {
    const queue = maskedQueue(parts.store.queue, () => this.#secrets.mask);
    const maskCommit = (text: string) => {
      const shown = this.#secrets.mask.text(text);
      return parts.maskCommit?.(shown) ?? shown;
    };
    const logger = maskedLogger(parts.logger, () => this.#secrets.mask);
    this.#parts = { ...parts, store: { ...parts.store, queue }, logger, maskCommit };
    this.#claimed = claimed;
    this.#held = held;
    this.#turn = claimed.turn;
    this.#state = claimed.agentState;
    this.#progress = new RunProgress(this.#parts.store, claimed.lease);
  }

  async work(): Promise<void> {
    for (;;) {
      const end = await this.#workOnTurn();
      const signIn = signInNoteOf(end, this.#findProfile());
      const noted = signIn === null ? end : { ...end, signIn };
      const next = await finishTurn(this.#parts.store.queue, this.#held, noted);
      if (next === null) return;
      this.#turn = next;
    }
  }

  /** One turn from checkout to committed work; throws only if the lease is lost. */
  async #workOnTurn(): Promise<FinishedTurn> {
    this.#prompted = false;
    this.#notes = [];
    try {
      const isolation = await chooseForTurn(this.#parts, this.#claimed, this.#profile());
      const note = (entry: NewEntry) => this.#notes.push(entry);
      const checkout = await openTurnCheckout(this.#parts, this.#claimed, this.#held.signal, note);
      const trace = await this.#prepareTrace(checkout);
      const ended = await this.#runAgent(checkout, isolation, trace);
      const held = this.#held;
      const end = await held.writeOnceThereIsSpace(() => keepProposal(this.#parts.store, this.#claimed, ended));
      const how = { turn: this.#turn, checkout, end, held, isAnalysis: trace !== null };
      return this.#closing(await keepWork(this.#parts, this.#claimed, how));
    } catch (error) {
      if (error instanceof LeaseLostError || this.#held.stopReason === "lease_lost") throw error;
      return this.#failing(error);
    } finally {
      await this.#progress.flush();
    }
  }

  /** Runs the turn's agent. When this returns, it has ended or is stopped until the next turn, so the work can be committed. */
  async #runAgent(checkout: Checkout, isolation: Isolation, trace: PreparedTrace | null): Promise<TurnEnd> {
    const isNew = this.#turn.number === 1 || this.#state === null;
    const opened = await openTurnSession({
      parts: this.#parts,
      claimed: this.#claimed,
      turn: this.#turn,
      profile: this.#profile(),
      secrets: this.#secrets,
      checkout,
      isolation,
      isAnalysis: trace !== null,
      state: this.#state,
      host: this.#host(this.#claimed.lease),
      signal: this.#held.signal,
    });
    const { session, place } = opened;
    this.#secrets = opened.secrets;
    this.#isNewToAgent = opened.isStarted && isNew;
    this.#prompted = true;
    let end: TurnEnd | null = null;
    try {
      end = await this.#promptUntilStopped(session, { checkout, ...place }, trace);
      return end;
    } finally {
      await opened.leave(end);
    }
  }

  /** The log this run analyzes, as files in its checkout; null if the run is not an analysis. */
  async #prepareTrace(checkout: Checkout): Promise<PreparedTrace | null> {
    const { store, prepareTrace } = this.#parts;
    const { id, organizationId } = this.#claimed.run;
    const analysed = await store.analysisRuns.findAnalysed(id);
    if (analysed === null) return null;
    return prepareTrace({ ...analysed, organizationId }, checkout.path, this.#held.signal);
  }

  /** They are written once the turn's message is. */
  #takeNotes(): NewEntry[] {
    const created_at = new Date().toISOString();
    return this.#notes.splice(0).map((note) => ({ ...note, created_at }));
  }

  #findProfile(): AgentProfile | undefined {
    return this.#parts.profiles.find(({ id }) => id === this.#claimed.run.agent);
  }

  #profile(): AgentProfile {
    const profile = this.#findProfile();
    if (profile !== undefined) return profile;
    const known = this.#parts.profiles.map(({ id }) => id).join(", ");
    throw new AttemptError(
      "agent_unknown",
      `There is no agent called "${this.#claimed.run.agent}". Known agents: ${known}.`,
    );
  }

  #host(lease: Claimed["lease"]): AgentHost {
    const { queue } = this.#parts.store;
    return {
      onEntries: async (entries) => {
        if (entries.length > 0) await queue.append(lease, entries);
      },
      onProgress: (read) => this.#progress.show(read),
      onFigures: (figures, state) => {
        this.#state = state;
        this.#progress.count({ ...figures, agentState: state });
      },
      onState: async (state) => {
        this.#state = state;
        await queue.setAgentState(lease, state);
      },
      onAnnounced: (announced, version) => this.#parts.onAnnounced?.(this.#claimed.run, announced, version),
      ask: (question) => this.#ask(question),
    };
  }

  /** One question at a time: agents may ask for several tools at once, but a run has one open question. */
  #ask(question: Question): Promise<string | null> {
    const answer = this.#asking.then(() => this.#askNow(question));
    this.#asking = answer.catch(() => null);
    return answer;
  }

  async #askNow(question: Question): Promise<string | null> {
    const { store, limits } = this.#parts;
    if (this.#held.signal.aborted) return null;
    const answer = this.#held.waitForAnswer(question.id, limits.questionMs);
    const now = Date.now();
    await store.queue.setQuestion(this.#claimed.lease, {
      ...question,
      asked_at: new Date(now).toISOString(),
      expires_at: new Date(now + limits.questionMs).toISOString(),
    });
    const optionId = await answer;
    if (this.#held.stopReason !== "lease_lost") await store.queue.setQuestion(this.#claimed.lease, null);
    return optionId;
  }

  /** One turn. When the service stops, an agent that does not end its turn in time is killed. */
  async #promptUntilStopped(session: AgentSession, place: Place, trace: PreparedTrace | null): Promise<TurnEnd> {
    const { signal } = this.#held;
    const onStop = () => {
      if (this.#held.stopReason === "stopping") setTimeout(() => void session.close(), stoppingGraceMs).unref();
      if (this.#held.stopReason === "lease_lost") void session.close();
    };
    signal.addEventListener("abort", onStop, { once: true });
    const messages = turnMessages(this.#parts.store, this.#held);
    try {
      const turn = this.#turn;
      if (trace === null) {
        const setup = { parts: this.#parts, claimed: this.#claimed, ...place, progress: this.#progress, signal };
        const prepare = async () => {
          await this.#host(this.#claimed.lease).onEntries(this.#takeNotes());
          return briefTurn(setup, this.#isNewToAgent);
        };
        return await session.prompt({ ...turn, messages, prepare }, signal);
      }
      const write = this.#host(this.#claimed.lease).onEntries;
      return await promptAnalysis({ session, turn, trace, hasModel: this.#profile().hasModel, write }, signal);
    } finally {
      signal.removeEventListener("abort", onStop);
      messages.end();
      await this.#progress.flush();
    }
  }

  /** The turn's end as written: a turn cut short because the service stops is `interrupted`, not cancelled. */
  #closing(end: TurnEnd): FinishedTurn {
    const summary = summaryOf(end.result);
    if (this.#held.stopReason !== "stopping" || end.status === "completed") return { ...end, summary };
    const entries = [...end.entries.filter((entry) => !isInterruption(entry)), stoppedEntry()];
    return { ...end, summary, status: "interrupted", entries };
  }

  /** End of a turn that failed outside the agent's own work. */
  #failing(error: unknown): FinishedTurn {
    const said = this.#prompted ? [] : [userMessageEntry(this.#turn)];
    const end = (status: TurnEnd["status"], entry: NewEntry): FinishedTurn => ({
      status,
      result: null,
      summary: null,
      entries: inTime([...said, ...this.#takeNotes(), entry]),
      // The next turn would not reach the agent either.
      holdsQueue: !this.#prompted || error instanceof SetupFailedError,
    });
    if (this.#held.stopReason === "stopping") return end("interrupted", stoppedEntry());
    if (this.#held.stopReason === "cancelled") {
      return end("cancelled", interruptionEntry("Cancelled before the agent had started its work."));
    }
    const entry = entryOfError(error);
    const { logger } = this.#parts;
    // An error with a code is reported in the run's log; the rest are defects, and only their stack says where.
    if (isInternal(entry)) logger.error({ run: this.#claimed.run.id, err: error }, "the attempt failed unexpectedly");
    else logger.info({ run: this.#claimed.run.id, reason: String(error) }, "the attempt failed");
    return end("failed", entry);
  }
}

/** The dependencies of an attempt. */
export type AttemptParts = EngineParts & { warm?: WarmSessions };
type Place = Pick<SetupTurn, "checkout" | "enclosure" | "layers" | "setup">;
