import { RequestError } from "@agentclientprotocol/sdk";
import type { AgentSession, StartAgent, TurnEnd, TurnInput, TurnMessage } from "#lib/agents/agent.ts";
import { callsCommand } from "./announced.ts";
import { type AgentConnection, withinUnlessAborted } from "./connection.ts";
import { lineFinder } from "./diff-line.ts";
import type { RecordedError } from "./error-entry.ts";
import { fileBlocks, imageBlocks, type PromptBlock } from "./prompt-block.ts";
import { Recorder } from "./recorder.ts";
import { type AgentHandshake, chooseModel, type OpenSession, UnavailableError } from "./session.ts";
import type { SessionState } from "./session-state.ts";
import type { SteeringWay } from "./steering.ts";
import type { SwitchedListener } from "./switched-listener.ts";
import { Turn } from "./turn.ts";
import { rpcError } from "./turn-end.ts";
import type { MessageOrigin, TurnOrigin } from "./turn-origin.ts";
import { knownFigures, type Usage } from "./usage.ts";

type Parts = {
  options: StartAgent;
  connection: AgentConnection;
  listener: SwitchedListener;
  agent: AgentHandshake;
  session: OpenSession & { servers: string[] };
  usage: Usage;
  state: SessionState;
  /** The mode in which the session began; null if it has none. */
  mode: string | null;
};

const closeGraceMs = 500;

/** An agent with an open session: turns run in it one after the other. */
export class LiveSession implements AgentSession {
  readonly #parts: Parts;
  readonly #recorder: Recorder;
  #model: string | null;
  #turnsHere = 0;
  #hasEnded = false;

  constructor(parts: Parts) {
    this.#parts = parts;
    const { cwd, folder = cwd } = parts.options;
    this.#recorder = new Recorder({ cwd, now: () => new Date(), lineOf: lineFinder(folder) });
    this.#model = parts.options.model;
    void parts.connection.ended.then(() => {
      this.#hasEnded = true;
    });
  }

  async prompt(input: TurnInput, signal: AbortSignal): Promise<TurnEnd> {
    const { options, connection, listener, session, usage } = this.#parts;
    const { blocks, origin } = await this.#compose(input);
    this.#turnsHere += 1;
    const misfit = await this.#setModel(input.model, signal);
    if (misfit !== null) {
      const entries = [...this.#recorder.begin(input.prompt, origin), ...this.#recorder.fail(misfit, "unfinished")];
      await this.saveState();
      return { status: "failed", result: null, entries };
    }
    const turn = new Turn({
      connection,
      sessionId: session.sessionId,
      recorder: this.#recorder,
      usage,
      host: options.host,
      onFigures: () => options.host.onFigures(knownFigures(usage), this.#state()),
      limits: options.limits,
      profile: options.profile,
      permissionMode: options.permissionMode,
      isReadingCommand: options.isReadingCommand ?? (() => false),
      mayFetch: options.mayFetch ?? true,
      isCommand: (text) => this.#isCommand(text),
      steering: steeringOf(options.profile, this.#parts.agent),
      composeMessage: (message) => this.#composeMessage(message),
    });
    listener.switchTo(turn);
    try {
      return await turn.run(input.prompt, origin, blocks, signal, input);
    } finally {
      listener.switchTo(null);
      await this.saveState();
    }
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  async freeze(): Promise<boolean> {
    // Mode changes by the agent last for one turn: the next one begins in the run's mode.
    const { listener, mode } = this.#parts;
    if (listener.mode !== null && listener.mode !== mode) return false;
    return (await this.#parts.connection.process.freeze?.()) ?? false;
  }

  async thaw(): Promise<void> {
    await this.#parts.connection.process.thaw?.();
  }

  async close(): Promise<void> {
    await this.#parts.connection.close(closeGraceMs);
  }

  /** Passes the state for the next attempt to the host. */
  async saveState(): Promise<void> {
    await this.#parts.options.host.onState(this.#state());
  }

  #state(): SessionState {
    const { usage, state } = this.#parts;
    const { model, tokens, costUsd } = usage.figures;
    return { ...state, model, tokens, cost_usd: costUsd, session_cost_usd: usage.sessionCostUsd };
  }

  async #compose({ number, prompt, ...files }: TurnInput): Promise<{ blocks: PromptBlock[]; origin: TurnOrigin }> {
    const { session, options } = this.#parts;
    const first = this.#turnsHere === 0;
    const { shown, notice, ...given } = this.#filesOf(files);
    const notices = [first ? session.notice : null, notice].filter((one) => one !== null);
    const recap: PromptBlock[] =
      first && session.how === "seeded" ? [{ type: "text", text: recapText(await options.recap()) }] : [];
    return {
      blocks: this.#isCommand(prompt)
        ? [{ type: "text", text: prompt }, ...recap, ...given.blocks]
        : [...recap, { type: "text", text: prompt }, ...given.blocks],
      origin: {
        turn: number,
        session: first ? session.how : "continued",
        ...(first && session.servers.length > 0 ? { mcp_servers: session.servers } : {}),
        ...shown,
        ...(notices.length > 0 ? { notice: notices.join(" ") } : {}),
      },
    };
  }

  #composeMessage({ number, prompt, ...files }: TurnMessage): { blocks: PromptBlock[]; origin: MessageOrigin } {
    const { blocks, shown, notice } = this.#filesOf(files);
    return {
      blocks: [{ type: "text", text: prompt }, ...blocks],
      origin: { message: number, ...shown, ...(notice === null ? {} : { notice }) },
    };
  }

  /** A message's files as the agent gets them and as the log shows them, and a notice about images that it does not accept. */
  #filesOf({ images, attachments = [] }: Pick<TurnInput, "images" | "attachments">) {
    const takes = this.#parts.agent.agentCapabilities?.promptCapabilities;
    const pictures = takes?.image === true ? imageBlocks(images) : [];
    const left = images.length - pictures.length;
    return {
      blocks: [...fileBlocks(attachments, takes?.embeddedContext === true), ...pictures],
      shown: {
        ...(pictures.length > 0 ? { images: pictures.length } : {}),
        ...(attachments.length > 0 ? { attachments } : {}),
      },
      notice: left > 0 ? `${left} of ${images.length} images were left out: the agent does not take them.` : null,
    };
  }

  #isCommand(prompt: string): boolean {
    return callsCommand(prompt, this.#parts.listener.commands ?? []);
  }

  /** The error if the model cannot be set, or is not within the time that an agent has to start. */
  async #setModel(model: string | null, signal: AbortSignal): Promise<RecordedError | null> {
    const { connection, session, options, usage } = this.#parts;
    const { profile, limits } = options;
    if (model === null || model === this.#model) return null;
    try {
      const chosen = chooseModel(connection, session, profile, model).then(() => "chosen" as const);
      const first = await withinUnlessAborted(chosen, limits.startMs, signal);
      if (first === null) {
        const message = `${profile.title} did not change its model within ${limits.startMs / 1000} s.`;
        return { code: "model_timeout", message };
      }
      // The turn goes on and reports that it was cancelled.
      if (first === "aborted") return null;
      this.#model = model;
      usage.setModel(model);
      return null;
    } catch (error) {
      if (error instanceof UnavailableError) {
        return { code: error.code, message: error.message, data: { available: error.available } };
      }
      if (error instanceof RequestError) return rpcError(error);
      // The agent has exited; this turn goes on and reports how.
      return null;
    }
  }
}

/** How messages reach the agent while it works: as it announces, or as its profile says. */
function steeringOf({ steering }: StartAgent["profile"], agent: AgentHandshake): SteeringWay | null {
  return agent._meta?.steering?.supported === true ? "extension" : steering;
}

/** The summary without code fences: an agent that runs fenced blocks of a prompt must not run them again. */
function recapText(recap: string): string {
  const plain = recap.replace(/`{3,}/g, "'''").replace(/~{3,}/g, "'''");
  return `This continues an earlier session that is no longer there. A summary of the run so far:\n\n${plain}\n\nThe next request follows.`;
}
