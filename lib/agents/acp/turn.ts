import { RequestError } from "@agentclientprotocol/sdk";
import type { AgentHost, AgentLimits, AgentProfile, TurnEnd, TurnInput, TurnMessage } from "#lib/agents/agent.ts";
import type { NewEntry } from "#lib/contract/logs/entry.ts";
import type { PermissionMode } from "#lib/contract/runs/run.ts";
import { commandText } from "#lib/entry/shell-command.ts";
import { type AgentConnection, type ConnectionListener, within } from "./connection.ts";
import { errorEntry, type RecordedError } from "./error-entry.ts";
import { type PermissionRequest, PromptAnswer, type Update } from "./message.ts";
import { cancelledDecision, decideByMode, decideByPerson, isReadingKind, questionFor } from "./permissions.ts";
import { type PromptBlock, withNote } from "./prompt-block.ts";
import type { Recorder } from "./recorder.ts";
import { Steering, type SteeringWay } from "./steering.ts";
import { TimeLimits } from "./time-limits.ts";
import type { Asked } from "./tool-call.ts";
import { type AgentEnd, endOfAgent, endOfStop, logOf, type Stop, unreadEntries } from "./turn-end.ts";
import type { MessageOrigin, TurnOrigin } from "./turn-origin.ts";
import type { Usage } from "./usage.ts";

/** Options of a turn. */
export type TurnParts = {
  connection: AgentConnection;
  sessionId: string;
  recorder: Recorder;
  usage: Usage;
  host: AgentHost;
  /** Called when `usage` has changed. */
  onFigures: () => void;
  limits: AgentLimits;
  profile: AgentProfile;
  permissionMode: PermissionMode;
  /** Whether a command is allowed in the mode read-only. */
  isReadingCommand: (command: string) => boolean;
  /** Whether the mode read-only allows requests to the network. */
  mayFetch: boolean;
  /** Whether a prompt calls one of the agent's own commands. */
  isCommand: (prompt: string) => boolean;
  /** How messages reach the agent while it works; null: they do not. */
  steering: SteeringWay | null;
  /** A message in the form that the agent gets, and the further contents of its entry. */
  composeMessage: (message: TurnMessage) => { blocks: PromptBlock[]; origin: MessageOrigin };
};

/** One turn of an agent: from its prompt to its end. It listens to the connection while it runs. */
export class Turn implements Omit<ConnectionListener, "onNotice"> {
  readonly #parts: TurnParts;
  readonly #times: TimeLimits;
  readonly #stopped = Promise.withResolvers<Stop | { failure: unknown }>();
  #stopping = false;
  #asked: Promise<unknown> = Promise.resolve();
  /** Set when the host could not write an entry; it gets no more. */
  #lost: { failure: unknown } | null = null;
  #agentError: RecordedError | null = null;
  #systemError = false;
  #heardAt = new Date();
  /** The agent wrote to its error output in this turn. */
  #hasLog = false;
  #steering: Steering | null = null;

  constructor(parts: TurnParts) {
    this.#parts = parts;
    this.#times = new TimeLimits(parts.limits);
  }

  /**
   * Sends `blocks` and follows the turn to its end. `text` is what the log shows as the prompt. Rejects only if the host or
   * `prepare` does; the agent is then asked to stop first.
   */
  async run(
    text: string,
    origin: TurnOrigin,
    blocks: PromptBlock[],
    signal: AbortSignal,
    { prepare, messages }: Pick<TurnInput, "prepare" | "messages"> = {},
  ): Promise<TurnEnd> {
    const { connection, sessionId, recorder, usage, onFigures } = this.#parts;
    const onAbort = () => this.#stopped.resolve("cancelled");
    signal.addEventListener("abort", onAbort, { once: true });
    if (signal.aborted) onAbort();
    void this.#times.expired.then((which) => this.#stopped.resolve(which));
    try {
      await this.#record(recorder.begin(text, origin));
      this.#requireHost();
      const note = signal.aborted || prepare === undefined ? null : await this.#untimed(prepare);
      if (signal.aborted) return this.#endOfStop("cancelled");
      const prompt = withNote(blocks, note, this.#parts.isCommand(text));
      const answer = connection.request("session/prompt", { sessionId, prompt });
      this.#steering = this.#steer(messages, origin.turn);
      const agentEnd = this.#agentEnd(this.#steering?.lastAnswer(answer) ?? answer);
      const first = await Promise.race([agentEnd, this.#stopped.promise]);
      const stop = isAgentEnd(first) ? null : first;
      if (stop !== null) {
        this.#stopping = true;
        this.#steering?.stop();
      }
      const end = isAgentEnd(first) ? first : await this.#stopAgent(agentEnd);
      await this.#steering?.end();
      this.#requireHost();
      usage.endTurn(end?.kind === "answer" ? end.answer : null);
      onFigures();
      if (stop === null && end !== null) return this.#endOf(end);
      if (typeof stop === "object" && stop !== null) throw stop.failure;
      return this.#endOfStop(stop ?? "cancelled");
    } finally {
      this.#times.clear();
      signal.removeEventListener("abort", onAbort);
    }
  }

  #steer(messages: TurnInput["messages"], turn: number): Steering | null {
    const { connection, sessionId, recorder, limits, steering: way, composeMessage } = this.#parts;
    if (messages === undefined || way === null) return null;
    const steering = new Steering(
      {
        ...{ connection, sessionId, way, messages, graceMs: limits.stopGraceMs },
        blocksOf: (message) => composeMessage(message).blocks,
        entriesOf: (message) => {
          this.#times.noteMessage();
          return recorder.message(message.prompt, { ...composeMessage(message).origin, during_turn: turn });
        },
        refusalOf: ({ number }, error) => {
          const message = `The agent did not take message ${number}: ${error.message}`;
          return [errorEntry({ code: "message_refused", message, data: error.data }, new Date())];
        },
      },
      (failure) => this.#lose(failure),
    );
    steering.begin();
    return steering;
  }

  async onMessagesAsked(...answer: Parameters<ConnectionListener["onMessagesAsked"]>): Promise<void> {
    await this.#steering?.asked(...answer);
  }

  /** A session that is not this turn's: null if it is, or none is named. */
  #otherOf(sessionId: string | null): string | null {
    return sessionId === null || sessionId === "" || sessionId === this.#parts.sessionId ? null : sessionId;
  }

  /** Runs `work` of the host with the turn's time limits paused. */
  async #untimed<T>(work: () => Promise<T>): Promise<T> {
    this.#times.pause();
    try {
      return await work();
    } finally {
      this.#times.resume();
    }
  }

  onMessage(): void {
    this.#times.noteMessage();
    this.#heardAt = new Date();
  }

  onErrorOutput(): void {
    this.#hasLog = true;
    this.#showProgress();
  }

  async onUpdate(update: Update, sessionId: string | null): Promise<void> {
    await this.#steering?.placed;
    const { recorder, usage, onFigures } = this.#parts;
    const other = this.#otherOf(sessionId);
    if (other !== null) return await this.#record(recorder.update(update, other));
    if (usage.update(update)) onFigures();
    if (update.sessionUpdate === "session_info_update") this.#noteCodex(update);
    await this.#record(recorder.update(update));
  }

  async onPermissionAsked(request: PermissionRequest): Promise<void> {
    await this.#steering?.placed;
    await this.#record(this.#parts.recorder.permissionAsked(request, this.#otherOf(request.sessionId)));
  }

  async answerPermission(request: PermissionRequest): Promise<string | null> {
    const { recorder, permissionMode, isReadingCommand, mayFetch } = this.#parts;
    const { toolCallId } = request.toolCall;
    const asked = recorder.askedBy(request);
    const command = commandText(asked.input.command);
    const isReading = isReadingKind(asked.kind, { mayFetch }) || (command !== null && isReadingCommand(command));
    const alone = decideByMode(request, permissionMode, isReading);
    const decision = this.#stopping ? cancelledDecision : (alone ?? (await this.#askPerson(request, asked)));
    await this.#record(recorder.permissionAnswered(toolCallId, decision.answer));
    return decision.optionId;
  }

  /** One question at a time, because a run can have only one open. */
  async #askPerson(request: PermissionRequest, asked: Asked) {
    const { host, limits } = this.#parts;
    this.#times.pause();
    const chosen = this.#asked.then(() => {
      if (this.#stopping) return null;
      return host.ask(questionFor(request, asked, new Date(), limits.questionMs));
    });
    this.#asked = chosen.catch(() => undefined);
    try {
      const answer = await Promise.race([chosen, this.#stopped.promise.then(() => null)]);
      return this.#stopping ? cancelledDecision : decideByPerson(request, answer);
    } catch (failure) {
      this.#stopped.resolve({ failure });
      return cancelledDecision;
    } finally {
      this.#times.resume();
    }
  }

  /** Asks the agent to stop and ends it if it does not. Null if it never answered. */
  async #stopAgent(agentEnd: Promise<AgentEnd>): Promise<AgentEnd | null> {
    const { connection, sessionId, recorder, limits } = this.#parts;
    recorder.stopping();
    void connection.notify("session/cancel", { sessionId });
    const end = await within(agentEnd, limits.stopGraceMs);
    if (end === null) await connection.close(0);
    return end;
  }

  async #agentEnd(answer: Promise<unknown>): Promise<AgentEnd> {
    const ended = this.#parts.connection.ended.then((how): AgentEnd => ({ kind: "ended", ended: how }));
    const answered = answer.then(
      (value): AgentEnd => {
        const parsed = PromptAnswer.safeParse(value);
        if (parsed.success) return { kind: "answer", answer: parsed.data };
        return { kind: "refused", error: new Error("The agent's answer to the prompt has no stop reason.") };
      },
      // The SDK closes the connection when the agent exits; `ended` reports how.
      (error): AgentEnd | Promise<AgentEnd> => (error instanceof RequestError ? { kind: "refused", error } : ended),
    );
    return Promise.race([answered, ended]);
  }

  #endOfStop(stop: Stop): TurnEnd {
    const { recorder, connection, limits } = this.#parts;
    return endOfStop(recorder, stop, limits, connection.diagnostics());
  }

  #endOf(end: AgentEnd): TurnEnd {
    const { recorder, connection, profile } = this.#parts;
    const hidden = { code: "agent_system_error", message: "The agent reports a system error and gives no reason." };
    const systemError = this.#systemError ? (this.#agentError ?? hidden) : null;
    const ended = endOfAgent(recorder, end, systemError, connection.diagnostics(), profile);
    return { ...ended, entries: [...ended.entries, ...unreadEntries(connection.takeUnread(), new Date())] };
  }

  /** Codex answers end_turn even if its model could not be reached; only its thread status says so. */
  #noteCodex(update: Update & { sessionUpdate: "session_info_update" }): void {
    const codex = update._meta?.codex;
    if (codex?.threadStatus) this.#systemError = codex.threadStatus.type === "systemError";
    if (!codex?.error) return;
    const { message, additionalDetails } = codex.error;
    const reported = [additionalDetails, message].filter((text) => text).join(" — ");
    this.#agentError = {
      code: "agent_system_error",
      message: reported || "The agent reports an error.",
      data: codex.error,
    };
  }

  async #record(entries: NewEntry[]): Promise<void> {
    await this.#write(entries);
    this.#showProgress();
  }

  /** Some agents retry silently for minutes: shows since when, with their error output. */
  #showProgress(): void {
    const { host, recorder, connection } = this.#parts;
    host.onProgress(() => ({
      ...recorder.progress(),
      heard_at: this.#heardAt.toISOString(),
      ...(this.#hasLog ? { log: logOf(connection.diagnostics()) } : {}),
    }));
  }

  /** The time for writing does not count as the agent's silence. A host that cannot write stops the turn. */
  async #write(entries: NewEntry[]): Promise<void> {
    if (entries.length === 0 || this.#lost !== null) return;
    try {
      await this.#parts.host.onEntries(entries);
    } catch (failure) {
      this.#lose(failure);
    }
    this.#times.noteMessage();
  }

  #requireHost(): void {
    if (this.#lost !== null) throw this.#lost.failure;
  }

  #lose(failure: unknown): void {
    this.#lost ??= { failure };
    this.#stopped.resolve(this.#lost);
  }
}

function isAgentEnd(value: AgentEnd | Stop | { failure: unknown }): value is AgentEnd {
  return typeof value === "object" && "kind" in value;
}
