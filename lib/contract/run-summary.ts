const summaryCharactersMax = 200;

/** The first line of a result that says something, cut at 200 characters; null where there is none. */
export function summaryOf(result: string | null): string | null {
  const line = result
    ?.split("\n")
    .map((text) => text.replace(/^[#>*\-\s]+/, "").trim())
    .find((text) => text !== "");
  if (line === undefined || line === "") return null;
  return line.length > summaryCharactersMax ? `${line.slice(0, summaryCharactersMax - 1)}…` : line;
}
