import { RequestError } from "@agentclientprotocol/sdk";
import { z } from "zod";
import type { TurnMessage, TurnMessages } from "#lib/agents/agent.ts";
import type { NewEntry } from "#lib/contract/entry.ts";
import { type AgentConnection, within } from "./connection.ts";
import type { PromptBlock } from "./prompt-block.ts";

/**
 * How a message reaches an agent while it works. `extension`: the request `_session/steering`, which claude-agent-acp and codex-acp
 * announce (`_meta.steering.supported`); `prompt` and `asks`: see {@link AgentProfile.steering}.
 */
export type SteeringWay = "extension" | "prompt" | "asks";

/** Result of `_session/steering`: `injected`, or that no turn was running, or that it failed. */
const SteeringAnswer = z.looseObject({ outcome: z.string() });

/** A second prompt is refused at once, or answered when the turn ends. Its entry waits this long. */
const refusalMs = 100;
/** Qwen Code takes ten messages at a time. */
const askedMax = 10;

export type SteeringParts = {
  connection: AgentConnection;
  sessionId: string;
  way: SteeringWay;
  messages: TurnMessages;
  /** The message in the form that the agent gets. */
  blocksOf(message: TurnMessage): PromptBlock[];
  /** The entries of a message that the agent has received. */
  entriesOf(message: TurnMessage): NewEntry[];
  /** How long to wait for an answer after the turn has ended. */
  graceMs: number;
};

/**
 * Gives the messages of one turn to the agent, one after another, each as soon as the agent can take it. A message that does not
 * reach the agent goes back and becomes a turn.
 */
export class Steering {
  readonly #parts: SteeringParts;
  /** Further prompts of the turn, which also waits for the answers to these. */
  readonly #prompts: { answer: Promise<unknown>; isRefused: Promise<boolean> }[] = [];
  #isOver = false;
  readonly #over = Promise.withResolvers<null>();
  #work: Promise<void> = Promise.resolve();
  #isWaiting = false;
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

  /** For an agent that asks: the waiting messages; the answer delivers them. */
  async asked(): Promise<{ text: string; blocks: PromptBlock[] }[]> {
    const given: { text: string; blocks: PromptBlock[] }[] = [];
    if (this.#parts.way !== "asks") return given;
    const taking = this.#work.then(async () => {
      while (!this.#isOver && given.length < askedMax) {
        const message = await this.#parts.messages.take();
        if (message === null) return;
        await this.#reached(message);
        given.push({ text: message.prompt, blocks: this.#parts.blocksOf(message) });
      }
    });
    this.#work = taking.catch(this.#onFailure);
    await this.#work;
    return given;
  }

  /** The answer that ends the turn: the last one, if messages were further prompts. From then on no message is given. */
  async lastAnswer(first: Promise<unknown>): Promise<unknown> {
    try {
      let last = await first;
      for (const { answer, isRefused } of this.#prompts) if (!(await isRefused)) last = await answer;
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
    const timer = setTimeout(() => this.#over.resolve(null), this.#parts.graceMs);
    await this.#work;
    clearTimeout(timer);
  }

  /** Each call looks for messages once more, so that one that arrived while the last look found none is not overlooked. */
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
      return !(await isRefused);
    }
    // Without this an agent whose turn has just ended would begin another one that nobody knows of.
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
