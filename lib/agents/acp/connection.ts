import { type AnyMessage, type ClientConnection, client, RequestError } from "@agentclientprotocol/sdk";
import { z } from "zod";
import type { ContainedProcess } from "#lib/agents/agent.ts";
import { AwakeTimer } from "#lib/awake-timer.ts";
import { ExactNumber } from "#lib/contract/exact-json.ts";
import { PermissionRequest, parseUpdate, sessionOf, type Update } from "./message.ts";
import { StdinMessages } from "./stdin-messages.ts";
import { LineTooLongError, type RawMessage, readMessages } from "./stdio-messages.ts";
import { storableJson, storableText } from "./storable.ts";

/**
 * Listener to an agent's messages. `onUpdate` and `onPermissionAsked` are called in the order of arrival; the next message waits
 * for them.
 */
export type ConnectionListener = {
  onMessage(): void;
  /** The agent wrote to its error output; {@link AgentConnection.diagnostics} has its end. */
  onErrorOutput(): void;
  /** A recorded notification other than an update: the list of commands, or the state of the sign-in. */
  onNotice(method: string, params: unknown): void;
  /** `sessionId`: the session that the message names, if any. */
  onUpdate(update: Update, sessionId: string | null): Promise<void>;
  /** The call of `request` gets an id if it has none. */
  onPermissionAsked(request: PermissionRequest): Promise<void>;
  /** The option to answer with, null for "cancelled". */
  answerPermission(request: PermissionRequest): Promise<string | null>;
  /**
   * An agent asks for messages between its steps. `answer`, to be called once, gives it some or none. It resolves when they are
   * written to its stdin and never settles if that fails.
   */
  onMessagesAsked(answer: (messages: AskedMessage[]) => Promise<void>): Promise<void>;
};

/** A message in the answer to an agent that asks for messages. */
export type AskedMessage = { text: string; blocks: unknown[] };

/** How a connection ended. `tooLong`: the agent sent a message larger than the limit. */
export type Ended = { code: number | null; signal: NodeJS.Signals | null; tooLong: boolean; error: Error | null };

/** The agent's output outside the protocol, for ERROR entries. */
export type Diagnostics = { stderr: string; stdout_noise: string[] };

/** An agent process and the ACP connection over its stdio. */
export class AgentConnection {
  readonly process: ContainedProcess;
  /** Resolves once the agent has ended or its output cannot be parsed any more. Never rejects. */
  readonly ended: Promise<Ended>;
  readonly #connection: ClientConnection;
  readonly #noise: string[] = [];
  /** Lines that look like messages and cannot be read as such. */
  #unread: string[] = [];
  #stderr = "";
  /** Resolves at the end of stderr. A process that the agent left behind may hold it open. */
  readonly #stderrEnd: Promise<void>;
  readonly #secrets = new Set<string>();

  constructor(process: ContainedProcess, listener: ConnectionListener) {
    this.process = process;
    process.stderr.on("data", (chunk: Buffer | string) => {
      this.#stderr = (this.#stderr + String(chunk)).slice(-stderrCharactersMax);
      listener.onErrorOutput();
    });
    this.#stderrEnd = new Promise((resolve) => {
      for (const event of ["end", "close", "error"]) process.stderr.once(event, () => resolve());
    });
    for (const stream of [process.stdin, process.stdout, process.stderr]) stream.on("error", () => undefined);
    const { readable, inbox } = openInbox();
    const stdin = new StdinMessages(process);
    this.#connection = client({ name: "errand" })
      .onRequest("session/request_permission", PermissionRequest, async ({ params }) => {
        const optionId = await listener.answerPermission(params);
        return { outcome: optionId === null ? { outcome: "cancelled" } : { outcome: "selected", optionId } };
      })
      // Qwen Code sends this before each request to its model; after an error it never asks again.
      .onRequest("craft/drainMidTurnQueue", z.unknown(), () => {
        const { promise, resolve } = Promise.withResolvers<{ items: unknown[] }>();
        const asked = listener.onMessagesAsked((messages) => {
          const result = { items: messages.map(({ text, blocks }) => ({ content: blocks, displayText: text })) };
          resolve(result);
          return stdin.written(result);
        });
        void asked.finally(() => resolve({ items: [] })).catch(() => undefined);
        return promise;
      })
      .connect({ readable, writable: stdin.writable });
    // What was written and not read is lost, so nobody waits for its answer.
    process.stdin.on("error", (error) => this.#connection.close(error));
    this.ended = this.#read(inbox, stdin, listener);
  }

  /** Sends a request; rejects with the SDK's RequestError, or with another Error if the connection closed. */
  request(method: string, params: Record<string, unknown>): Promise<unknown> {
    const answer = this.#connection.agent.request<unknown>(method, params).catch((error: unknown) => {
      if (!(error instanceof RequestError)) throw error;
      const data = dataWithoutSecrets(storableJson(error.data ?? null, dataCharactersMax).value, this.#secrets);
      throw new RequestError(error.code, withoutSecrets(error.message, this.#secrets), data ?? undefined);
    });
    // The caller may have stopped waiting (a time limit), so a late rejection has no handler.
    answer.catch(() => undefined);
    return answer;
  }

  /** Sends a notification, or drops it if the connection has closed. */
  async notify(method: string, params: Record<string, unknown>): Promise<void> {
    await this.#connection.agent.notify(method, params).catch(() => undefined);
  }

  /** Keeps a secret out of diagnostics and errors. */
  hide(secret: string): void {
    this.#secrets.add(secret);
  }

  diagnostics(): Diagnostics {
    const shown = (text: string) => storableText(withoutSecrets(text.trim(), this.#secrets));
    return { stderr: shown(this.#stderr), stdout_noise: this.#noise.map(shown) };
  }

  /** The lines since the last call that look like messages and could not be read, at most 20: what they said is lost. */
  takeUnread(): string[] {
    const lines = this.#unread.map((line) => storableText(withoutSecrets(line, this.#secrets)));
    this.#unread = [];
    return lines;
  }

  /** Closes stdin, gives the agent `graceMs` to exit, then ends it with all its descendants. Never throws. */
  async close(graceMs: number): Promise<void> {
    this.process.stdin.end();
    await within(this.process.exited, graceMs);
    await this.process.kill().catch(() => undefined);
    this.#connection.close();
  }

  async #read(inbox: Inbox, stdin: StdinMessages, listener: ConnectionListener): Promise<Ended> {
    let error: Error | null = null;
    try {
      await readMessages(
        this.process.stdout,
        async (message) => {
          listener.onMessage();
          if (await observe(message, listener)) return;
          if (isAnswered(message)) await stdin.untilRead();
          inbox.put(toSdk(message));
        },
        (line) => {
          listener.onMessage();
          if (this.#noise.length < noiseLinesMax) this.#noise.push(line);
          if (line.includes('"jsonrpc"') && this.#unread.length < noiseLinesMax) this.#unread.push(line);
        },
        // An agent in the middle of a long message is not silent.
        () => listener.onMessage(),
      );
    } catch (cause) {
      error = cause instanceof Error ? cause : new Error(String(cause));
    }
    const exit = await within(this.process.exited, exitWaitMs);
    // An agent that has closed stdout but not exited is of no use any more, and the output of one that exceeded the limit can no
    // longer be parsed.
    if (exit === null) await this.process.kill().catch(() => undefined);
    // Why it ended may be in what it wrote last, which on a busy machine arrives after its exit.
    await within(this.#stderrEnd, exitWaitMs);
    inbox.end();
    const { code, signal } = exit ?? { code: null, signal: null };
    return { code, signal, tooLong: error instanceof LineTooLongError, error };
  }
}

const stderrCharactersMax = 16_384;
const noiseLinesMax = 20;
const dataCharactersMax = 65_536;
const exitWaitMs = 1000;
const hiddenMin = 8;

/** Removes session ids, since agents print them and anyone with one can load the session; unknown ids are found by their label. */
function withoutSecrets(text: string, secrets: Set<string>): string {
  let hidden = text.replace(/(session_?id["']?\s*[=:]\s*["']?)[\w.-]+/gi, "$1[left out]");
  for (const secret of secrets) {
    // A short id cannot be told from other words of the message.
    if (secret.length < hiddenMin) continue;
    const literal = secret.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
    hidden = hidden.replace(new RegExp(`(?<![\\w-])${literal}(?![\\w-])`, "g"), "[left out]");
  }
  return hidden;
}

/** The same for what an error says in JSON, where an id stands under its label. */
function dataWithoutSecrets(value: unknown, secrets: Set<string>): unknown {
  if (typeof value === "string") return withoutSecrets(value, secrets);
  if (Array.isArray(value)) return value.map((item) => dataWithoutSecrets(item, secrets));
  if (typeof value !== "object" || value === null || value instanceof ExactNumber) return value;
  const hidden = (name: string, item: unknown) =>
    /session_?id$/i.test(name) && typeof item === "string" ? "[left out]" : dataWithoutSecrets(item, secrets);
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [withoutSecrets(name, secrets), hidden(name, item)]),
  );
}

/** The value, or null when it did not come within `ms` in which this process ran. */
export async function within<Value>(value: Promise<Value>, ms: number): Promise<Value | null> {
  const { promise, resolve } = Promise.withResolvers<null>();
  const timer = new AwakeTimer(ms, () => resolve(null));
  try {
    return await Promise.race([value, promise]);
  } finally {
    timer.stop();
  }
}

/** The value, or `aborted` if the signal is aborted first, also before the call; null when neither came within `ms`. */
export async function withinUnlessAborted<Value>(
  value: Promise<Value>,
  ms: number,
  signal: AbortSignal,
): Promise<Value | "aborted" | null> {
  const { promise, resolve } = Promise.withResolvers<"aborted">();
  const onAbort = () => resolve("aborted");
  signal.addEventListener("abort", onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    return await within(Promise.race([value, promise]), ms);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

/** Passes messages to the listener in order of arrival; true if the SDK need not see the message. */
async function observe(message: RawMessage, listener: ConnectionListener): Promise<boolean> {
  if (message.method === "session/update" && !("id" in message)) {
    const update = parseUpdate(message.params);
    if (update !== null) await listener.onUpdate(update, sessionOf(message.params));
    else listener.onNotice(message.method, message.params);
    return true;
  }
  if (typeof message.method === "string" && !("id" in message)) listener.onNotice(message.method, message.params);
  if (message.method === "session/request_permission" && "id" in message) {
    const request = PermissionRequest.safeParse(message.params);
    if (request.success) {
      await listener.onPermissionAsked(request.data);
      message.params = request.data;
    }
  }
  return false;
}

/** Whether the SDK answers the message: a request, or what is neither a notification nor an answer. */
function isAnswered(message: RawMessage): boolean {
  if ("method" in message) return "id" in message || typeof message.method !== "string";
  return !("id" in message || "result" in message || "error" in message);
}

type Inbox = { put(message: AnyMessage): void; end(): void };

/**
 * The stream that the SDK reads. It needs no bound: the SDK takes each message at once, and requests are not read while too many
 * answers are unread. A closed SDK must not stop the reading of stdout.
 */
function openInbox(): { readable: ReadableStream<AnyMessage>; inbox: Inbox } {
  const { promise, resolve } = Promise.withResolvers<ReadableStreamDefaultController<AnyMessage>>();
  let open = true;
  const readable = new ReadableStream<AnyMessage>({
    start: resolve,
    cancel: () => {
      open = false;
    },
  });
  const then = (act: (controller: ReadableStreamDefaultController<AnyMessage>) => void) =>
    void promise.then((controller) => {
      if (open) act(controller);
    });
  return {
    readable,
    inbox: {
      put: (message) => then((controller) => controller.enqueue(message)),
      end: () =>
        then((controller) => {
          open = false;
          controller.close();
        }),
    },
  };
}

/** The SDK checks every message that it is given, and answers malformed ones. */
function toSdk(message: RawMessage): AnyMessage {
  return message as RawMessage & AnyMessage;
}
