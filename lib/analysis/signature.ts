import { cut } from "#lib/analysis/checks/output-lines.ts";

/** A message without what differs each time: numbers, paths, addresses, ids, quoted names. */
export function signatureOf(message: string, max: number): string {
  const signature = message
    .replace(/\bhttps?:\/\/[^\s"'<>)]+/g, "<url>")
    .replace(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, "<id>")
    .replace(/(?:~|\.{1,2}|[A-Za-z]:)?[\\/][\w.@+-]+(?:[\\/][\w.@+ -]*[\w.@+-])*/g, "<path>")
    .replace(
      /\b[\w-]+(?:\.[\w-]+)*\.(?:[cm]?[jt]sx?|py|go|rs|rb|java|kt|c|cc|cpp|h|hpp|cs|php|md|json|ya?ml|toml|txt|sh|html|css)\b/g,
      "<path>",
    )
    .replace(/\b(?:0x)?[0-9a-f]{7,}\b/gi, "<id>")
    .replace(/"[^"\n]{1,200}"|'[^'\n]{1,200}'|`[^`\n]{1,200}`/g, "<text>")
    .replace(/\d+(?:[.,:]\d+)*/g, "<n>")
    .replace(/\s+/g, " ")
    .trim();
  return cut(signature, max);
}
