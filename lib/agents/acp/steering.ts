import { RequestError } from "@agentclientprotocol/sdk";
import { z } from "zod";
import type { TurnMessage, TurnMessages } from "#lib/agents/agent.ts";
import { AwakeTimer } from "#lib/awake-timer.ts";
import type { NewEntry } from "#lib/contract/logs/entry.ts";
import { type AgentConnection, type AskedMessage, within } from "./connection.ts";
import type { PromptBlock } from "./prompt-block.ts";

/**
 * How a message reaches an agent while it works. `extension`: the request `_session/steering`, which claude-agent-acp and codex-acp
 * announce (`_meta.steering.supported`); `prompt` and `asks`: see {@link AgentProfile.steering}.
 */
export type SteeringWay = "extension" | "prompt" | "asks";

/** Result of `_session/steering`: `injected`, or that no turn was running, or that it failed. */
const SteeringAnswer = z.looseObject({ outcome: z.string() });

/** A second prompt is usually refused at once, or answered when the turn ends. Its entry waits this long. */
const refusalMs = 100;
/** Qwen Code takes ten messages at a time. */
const askedMax = 10;
/** An agent that ends within this share of the grace after an answer was written may not have read it. */
const readShare = 0.05;

export type SteeringParts = {
  connection: AgentConnection;
  sessionId: string;
  way: SteeringWay;
  messages: TurnMessages;
  /** The message in the form that the agent gets. */
  blocksOf(message: TurnMessage): PromptBlock[];
  /** The entries of a message that the agent has received. */
  entriesOf(message: TurnMessage): NewEntry[];
  /** The entries of a message that the agent has refused after its entries were written. */
  refusalOf(message: TurnMessage, error: RequestError): NewEntry[];
  /** How long to wait for an answer after the turn has ended. */
  graceMs: number;
};

/**
 * Gives the messages of one turn to the agent, one after another, each as soon as the agent can take it. A message that does not
 * reach the agent goes back and becomes a turn; one that may have reached an agent that ended is held.
 */
export class Steering {
  readonly #parts: SteeringParts;
  /** Further prompts of the turn, which also waits for the answers to these. */
  readonly #prompts: { answer: Promise<unknown>; isRefused: Promise<boolean> }[] = [];
  /** The agent has answered the turn's own prompt. */
  #isAnswered = false;
  #isOver = false;
  readonly #over = Promise.withResolvers<null>();
  #work: Promise<void> = Promise.resolve();
  #isWaiting = false;
  #placed: Promise<void> = Promise.resolve();
  readonly #onFailure: (failure: unknown) => void;

  /** `onFailure`: a message could not be taken or settled, so the host cannot write any more. */
  constructor(parts: SteeringParts, onFailure: (failure: unknown) => void) {
    this.#parts = parts;
    this.#onFailure = onFailure;
  }

  /** The agent has its prompt: from now on it is given messages. */
  begin(): void {
    this.#parts.messages.listen(() => this.#give());
    this.#give();
  }

  /** For an agent that asks: gives it the waiting messages. They have reached it if it continues when it has the answer. */
  async asked(answer: (messages: AskedMessage[]) => Promise<void>): Promise<void> {
    if (this.#parts.way !== "asks") return;
    this.#work = this.#work.then(() => this.#answer(answer)).catch(this.#onFailure);
    await this.#work;
  }

  /** Resolves when the messages that the agent has are in the log: what it says later comes after them. */
  get placed(): Promise<void> {
    return this.#placed;
  }

  /**
   * The answer that ends the turn: the last one, if messages were further prompts; one that the agent refused changes nothing. From
   * then on no message is given.
   */
  async lastAnswer(first: Promise<unknown>): Promise<unknown> {
    try {
      let last = await first;
      this.#isAnswered = true;
      for (const { answer, isRefused } of this.#prompts) {
        if (await isRefused) continue;
        last = await answer.catch((error: unknown) => {
          if (error instanceof RequestError) return last;
          throw error;
        });
      }
      return last;
    } finally {
      this.stop();
    }
  }

  /** The agent is to stop: it gets no more messages. */
  stop(): void {
    this.#isOver = true;
  }

  /** The turn is over: resolves when no message is being sent any more. */
  async end(): Promise<void> {
    this.stop();
    const timer = new AwakeTimer(this.#parts.graceMs, () => this.#over.resolve(null));
    for (let work = null; work !== this.#work; ) {
      work = this.#work;
      await work;
    }
    timer.stop();
  }

  async #answer(answer: (messages: AskedMessage[]) => Promise<void>): Promise<void> {
    const { messages, blocksOf, connection, graceMs } = this.#parts;
    const taken: TurnMessage[] = [];
    while (!this.#isOver && taken.length < askedMax) {
      const message = await messages.take();
      if (message === null) break;
      taken.push(message);
    }
    const written = answer(taken.map((message) => ({ text: message.prompt, blocks: blocksOf(message) })));
    if (taken.length === 0) return;
    const gone = Promise.race([connection.ended, this.#over.promise]).then(() => false);
    // If in doubt they are left unsettled, so they are held when the turn ends.
    if (!(await Promise.race([written.then(() => true), gone]))) return;
    const placed = Promise.withResolvers<void>();
    this.#placed = placed.promise;
    try {
      if ((await within(connection.process.exited, graceMs * readShare)) !== null) return;
      for (const message of taken) await this.#reached(message);
    } finally {
      placed.resolve();
    }
  }

  /** Every call checks for messages once more, so that one that arrives just after a check found none is not missed. */
  #give(): void {
    if (this.#parts.way === "asks" || this.#isWaiting || this.#isOver) return;
    this.#isWaiting = true;
    this.#work = this.#work.then(() => {
      this.#isWaiting = false;
      return this.#giveAll();
    });
    this.#work = this.#work.catch(this.#onFailure);
  }

  async #giveAll(): Promise<void> {
    while (!this.#isOver) {
      const message = await this.#parts.messages.take();
      if (message === null) return;
      // The turn may have ended while the message was taken.
      const isReached = !this.#isOver && (await this.#send(message));
      if (isReached) await this.#reached(message);
      else await this.#parts.messages.settle(message, null);
    }
  }

  #reached(message: TurnMessage): Promise<void> {
    return this.#parts.messages.settle(message, this.#parts.entriesOf(message));
  }

  /**
   * A further prompt is refused although its message is in the log. If the agent was at work on the turn's own prompt, it did not
   * begin with the message; otherwise it may have.
   */
  #refuse(message: TurnMessage, error: unknown): void {
    if (!(error instanceof RequestError)) return;
    const { messages, refusalOf } = this.#parts;
    const isHeld = this.#isAnswered || this.#isOver;
    const refused = this.#work.then(() => messages.refuse(message, refusalOf(message, error), isHeld));
    this.#work = refused.catch(this.#onFailure);
  }

  /** True if the agent has received the message. An agent that refuses it, or is gone, has not. */
  async #send(message: TurnMessage): Promise<boolean> {
    const { connection, sessionId, way } = this.#parts;
    const prompt = this.#parts.blocksOf(message);
    if (way === "prompt") {
      const answer = connection.request("session/prompt", { sessionId, prompt });
      const refused = answer.then(
        () => false,
        () => true,
      );
      const isRefused = within(refused, refusalMs).then((is) => is === true);
      this.#prompts.push({ answer, isRefused });
      if (await isRefused) return false;
      answer.catch((error: unknown) => this.#refuse(message, error));
      return true;
    }
    // Without this an agent whose turn has just ended would begin a turn that Errand does not know about.
    const idle = { _meta: { steering: { idleBehavior: "promptRequired" } } };
    const answer = connection.request("_session/steering", { sessionId, prompt, ...idle }).catch((error: unknown) => {
      if (error instanceof RequestError) return null;
      throw error;
    });
    const ended = connection.ended.then(() => null);
    const reply = await Promise.race([answer.catch(() => null), ended, this.#over.promise]);
    return SteeringAnswer.safeParse(reply).data?.outcome === "injected";
  }
}
