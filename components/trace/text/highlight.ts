import type { HighlightAnswer, HighlightRequest, HighlightToken } from "./highlight-protocol.ts";
import type { Language } from "./languages.ts";

/** Longer texts, in UTF-16 units, are not highlighted. */
export const highlightLengthMax = 200_000;
const answerWithinMs = 8_000;
const cacheMax = 100;

type Lines = HighlightToken[][] | null;

let worker: Worker | null = null;
let lastId = 0;
const waiting = new Map<number, (lines: Lines) => void>();
const cache = new Map<string, Promise<Lines>>();

/** Tokens of each line of a text, from a worker. Null if it is too long or the worker cannot do it in time. Never rejects. */
export function highlight(text: string, language: Language): Promise<Lines> {
  if (text.length > highlightLengthMax || typeof Worker === "undefined") return Promise.resolve(null);
  const key = `${language}\n${text}`;
  const known = cache.get(key);
  if (known !== undefined) return known;
  const answer = ask(text, language);
  cache.set(key, answer);
  for (const oldest of cache.keys()) {
    if (cache.size <= cacheMax) break;
    cache.delete(oldest);
  }
  return answer;
}

function ask(text: string, language: Language): Promise<Lines> {
  const { promise, resolve } = Promise.withResolvers<Lines>();
  lastId += 1;
  const id = lastId;
  // A grammar may take for ever on a hostile line; the worker is then terminated, and a new one is created for the next text.
  const timer = setTimeout(restart, answerWithinMs);
  waiting.set(id, (lines) => {
    clearTimeout(timer);
    waiting.delete(id);
    resolve(lines);
  });
  const request: HighlightRequest = { id, text, language };
  worker ??= start();
  worker.postMessage(request);
  return promise;
}

function start(): Worker {
  const started = new Worker(new URL("./highlight-worker.ts", import.meta.url), { type: "module" });
  started.addEventListener("message", ({ data }: MessageEvent<HighlightAnswer>) => waiting.get(data.id)?.(data.lines));
  started.addEventListener("error", restart);
  return started;
}

function restart(): void {
  worker?.terminate();
  worker = null;
  for (const answer of [...waiting.values()]) answer(null);
}
