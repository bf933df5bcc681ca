import { createParser } from "eventsource-parser";
import type { TailSource } from "./tail-state.ts";

/** A server that is there says something every 15 s, if only a comment. */
const SILENCE_MS_MAX = 45_000;

/** What an {@link EventStreamSource} may be given. */
export type EventStreamOptions = {
  /** Awaited before each read, so that whoever is slow to take events is not sent more of them. */
  beforeRead?: () => Promise<void>;
  /** After so many milliseconds without a byte the connection counts as lost. */
  silenceMsMax?: number;
};

/**
 * One connection to an event stream by `fetch`, where there is no EventSource, or where it cannot send a token. It says `open`,
 * then what the stream says, and `error` once where the connection could not be made, broke, fell silent, or ended.
 * It never connects again by itself.
 */
export class EventStreamSource implements TailSource {
  readonly #listeners = new Map<string, ((event: Event) => void)[]>();
  readonly #closing = new AbortController();
  readonly #options: EventStreamOptions;

  /** `connect` asks for the stream; it gives up where the signal says so. */
  constructor(connect: (signal: AbortSignal) => Promise<Response>, options: EventStreamOptions = {}) {
    this.#options = options;
    // Whoever opens it listens first.
    queueMicrotask(() => void this.#read(connect));
  }

  addEventListener(name: string, listener: (event: Event) => void): void {
    this.#listeners.set(name, [...(this.#listeners.get(name) ?? []), listener]);
  }

  /** Nothing is said any more. */
  close(): void {
    this.#closing.abort();
  }

  #say(event: Event): void {
    if (this.#closing.signal.aborted) return;
    for (const listener of this.#listeners.get(event.type) ?? []) listener(event);
  }

  async #read(connect: (signal: AbortSignal) => Promise<Response>): Promise<void> {
    const { signal } = this.#closing;
    try {
      signal.throwIfAborted();
      const { ok, body } = await connect(signal);
      if (!ok || body === null) {
        await body?.cancel();
        throw new Error("no stream");
      }
      this.#say(new Event("open"));
      const parser = createParser({
        onEvent: ({ event = "message", data }) => this.#say(new MessageEvent(event, { data })),
      });
      const reader = body.pipeThrough(new TextDecoderStream()).getReader();
      signal.addEventListener("abort", () => void reader.cancel().catch(() => {}));
      for (let text = await this.#next(reader); text !== undefined; text = await this.#next(reader)) parser.feed(text);
    } catch {
      // Why is found out by whoever tries again: the answer to an ordinary request says more.
    }
    this.#say(new Event("error"));
    this.close();
  }

  /** The next piece of text; undefined at the end. Throws where nothing comes for too long. */
  async #next(reader: ReadableStreamDefaultReader<string>): Promise<string | undefined> {
    await this.#options.beforeRead?.();
    const timer = setTimeout(() => this.#fallSilent(), this.#options.silenceMsMax ?? SILENCE_MS_MAX);
    try {
      return (await reader.read()).value;
    } finally {
      clearTimeout(timer);
    }
  }

  #fallSilent(): void {
    this.#say(new Event("error"));
    this.close();
  }
}
