import type { HighlightAnswer, HighlightRequest } from "./highlight-protocol.ts";
import { loadGrammar, tokensOf } from "./highlight-tokens.ts";

let before: Promise<void> = Promise.resolve();

self.addEventListener("message", ({ data }: MessageEvent<HighlightRequest>) => {
  before = before.then(() => work(data));
});

async function work(request: HighlightRequest): Promise<void> {
  const { id } = request;
  try {
    await loadGrammar(request.language);
    answer({ id, begun: true });
    answer({ id, lines: await tokensOf(request) });
  } catch {
    answer({ id, lines: null });
  }
}

function answer(message: HighlightAnswer): void {
  self.postMessage(message);
}
