import type { AnyMessage } from "@agentclientprotocol/sdk";
import type { ContainedProcess } from "#lib/agents/agent.ts";

/** Answers that wait for the agent to read them; above this the engine reads no more of its requests. */
const unreadBytesMax = 1024 * 1024;

/**
 * The messages to an agent. Only answers count as unread, because the engine's own requests may be large and an agent may write
 * much before it reads one.
 */
export class StdinMessages {
  /** What the SDK writes to. A message is given to stdin at once; if that fails, stdin reports an error. */
  readonly writable: WritableStream<AnyMessage>;
  readonly #process: ContainedProcess;
  #unreadBytes = 0;
  #hasEnded = false;
  readonly #awaited = new WeakMap<object, () => void>();
  #change = Promise.withResolvers<void>();

  constructor(process: ContainedProcess) {
    this.#process = process;
    this.writable = new WritableStream({ write: (message) => this.#write(message) });
    void process.exited.then(() => {
      this.#hasEnded = true;
      this.#change.resolve();
    });
  }

  /** Waits while too many answers are unread. Then the agent's own pipe fills, and it waits too. Ends with the process. */
  async untilRead(): Promise<void> {
    while (this.#unreadBytes > unreadBytesMax && !this.#hasEnded) await this.#change.promise;
  }

  /** Resolves when the answer with this very object as its result has been written; never settles if that fails. */
  written(result: object): Promise<void> {
    return new Promise((resolve) => this.#awaited.set(result, resolve));
  }

  #write(message: AnyMessage): void {
    const { stdin } = this.#process;
    if (!stdin.writable) throw new Error("The agent's stdin is closed");
    const line = `${JSON.stringify(message)}\n`;
    const bytes = "method" in message ? 0 : Buffer.byteLength(line);
    this.#unreadBytes += bytes;
    const result = "result" in message ? message.result : null;
    const onWritten = typeof result === "object" && result !== null ? this.#awaited.get(result) : undefined;
    stdin.write(line, (error) => {
      if (error == null) onWritten?.();
      this.#unreadBytes -= bytes;
      this.#change.resolve();
      this.#change = Promise.withResolvers();
    });
  }
}
