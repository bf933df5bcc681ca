import { cutText } from "#lib/cut-text.ts";

const summaryCharactersMax = 200;

/** First non-empty line of a result, cut at 200 characters; null if there is none. */
export function summaryOf(result: string | null): string | null {
  const line = result
    ?.split("\n")
    .map((text) => text.replace(/^[#>*\-\s]+/, "").trim())
    .find((text) => text !== "");
  if (line === undefined || line === "") return null;
  return cutText(line, summaryCharactersMax, "…");
}
