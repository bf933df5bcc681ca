import type { HighlightAnswer, HighlightRequest } from "./highlight-protocol.ts";
import { tokensOf } from "./highlight-tokens.ts";

self.addEventListener("message", async ({ data }: MessageEvent<HighlightRequest>) => {
  const answer: HighlightAnswer = { id: data.id, lines: await tokensOf(data).catch(() => null) };
  self.postMessage(answer);
});
