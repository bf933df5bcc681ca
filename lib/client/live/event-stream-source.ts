import { createParser } from "eventsource-parser";
import type { TailSource } from "./tail-state.ts";

/** A live server sends something every 15 s, if only a comment. */
const SILENCE_MS_MAX = 45_000;

/** What an {@link EventStreamSource} may be given. */
export type EventStreamOptions = {
  /** Awaited before each read, so that a slow consumer is not sent more events. */
  beforeRead?: () => Promise<void>;
  /** After this many milliseconds without a byte the connection counts as lost. */
  silenceMsMax?: number;
};

/**
 * One connection to an event stream by `fetch`, for environments without EventSource or with a token to send. Emits `open`,
 * then the stream's events, and `error` once if the connection could not be made, broke, fell silent, or ended. Never
 * reconnects by itself.
 */
export class EventStreamSource implements TailSource {
  readonly #listeners = new Map<string, ((event: Event) => void)[]>();
  readonly #closing = new AbortController();
  readonly #options: EventStreamOptions;

  /** `connect` requests the stream; it stops when the signal aborts. */
  constructor(connect: (signal: AbortSignal) => Promise<Response>, options: EventStreamOptions = {}) {
    this.#options = options;
    // The creator attaches listeners first.
    queueMicrotask(() => void this.#read(connect));
  }

  addEventListener(name: string, listener: (event: Event) => void): void {
    this.#listeners.set(name, [...(this.#listeners.get(name) ?? []), listener]);
  }

  /** Emits nothing from now on. */
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
      // The caller finds out the reason by retrying: the response to an ordinary request says more.
    }
    this.#say(new Event("error"));
    this.close();
  }

  /** The next chunk of text; undefined at the end. Throws after too long a silence. */
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
