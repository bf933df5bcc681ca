import { Lru } from "#lib/lru.ts";
import type { HighlightAnswer, HighlightRequest, HighlightToken } from "./highlight-protocol.ts";
import type { Language } from "./languages.ts";

/** Longer texts, in UTF-16 units, are not highlighted. */
const lengthMax = 200_000;
/** A grammar may take forever on a hostile line. Loading is not counted, because it is slow on any busy machine. */
const textWithinMs = 8_000;
const cacheMax = 100;

type Lines = HighlightToken[][] | null;
type Waiting = { request: HighlightRequest; resolve: (lines: Lines) => void };

const emptyCache = () => new Lru<string, Promise<Lines>>({ count: cacheMax });

/** Asks a worker for the colors of texts. A text that takes the worker too long loses its own colors but no other's. */
export class Highlighter {
  readonly #start: () => Worker;
  #worker: Worker | null = null;
  #lastId = 0;
  /** Requests sent to the worker and not answered yet, in order. */
  readonly #waiting = new Map<number, Waiting>();
  #cache = emptyCache();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(start: () => Worker) {
    this.#start = start;
  }

  /** Tokens of each line of a text; null if it is too long, or cannot be highlighted in time. Never rejects. */
  highlight(text: string, language: Language): Promise<Lines> {
    if (text.length > lengthMax) return Promise.resolve(null);
    const key = `${language}\n${text}`;
    const known = this.#cache.get(key);
    if (known !== undefined) return known;
    const { promise, resolve } = Promise.withResolvers<Lines>();
    this.#cache.set(key, promise);
    this.#lastId += 1;
    const request = { id: this.#lastId, text, language };
    this.#waiting.set(request.id, { request, resolve });
    this.#running().postMessage(request);
    return promise;
  }

  #running(): Worker {
    if (this.#worker !== null) return this.#worker;
    const worker = this.#start();
    worker.addEventListener("message", ({ data }: MessageEvent<HighlightAnswer>) => this.#onAnswer(data));
    worker.addEventListener("error", () => this.#failed());
    this.#worker = worker;
    return worker;
  }

  #onAnswer(answer: HighlightAnswer): void {
    clearTimeout(this.#timer);
    if ("begun" in answer) this.#timer = setTimeout(() => this.#giveUp(answer.id), textWithinMs);
    else this.#settle(answer.id, answer.lines);
  }

  /** The worker is stuck in a text: a new worker takes over the others. */
  #giveUp(id: number): void {
    this.#end();
    this.#settle(id, null);
    if (this.#waiting.size === 0) return;
    const worker = this.#running();
    for (const { request } of this.#waiting.values()) worker.postMessage(request);
  }

  /** The worker cannot be loaded, perhaps because the server is gone. The next text tries again, also for these. */
  #failed(): void {
    this.#end();
    this.#cache = emptyCache();
    for (const id of [...this.#waiting.keys()]) this.#settle(id, null);
  }

  #end(): void {
    clearTimeout(this.#timer);
    this.#worker?.terminate();
    this.#worker = null;
  }

  #settle(id: number, lines: Lines): void {
    this.#waiting.get(id)?.resolve(lines);
    this.#waiting.delete(id);
  }
}
