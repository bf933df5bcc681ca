import { maskOf, plainHeaders } from "#lib/entry/mask-values.ts";

/**
 * The other side's message without the credentials that were sent to it: services and proxies repeat a bad one in their errors,
 * which are stored and shown. Apply it before the message is cut.
 */
export function maskSent(text: string, headers: Record<string, string>): string {
  const values = Object.entries(headers).flatMap(([name, value]) =>
    plainHeaders.has(name.toLowerCase()) ? [] : credentialsIn(value),
  );
  return maskOf(values).text(text);
}

/** A header's value, and the part after its scheme; for Basic, also the decoded pair and its password. */
function credentialsIn(value: string): string[] {
  const [scheme = "", rest] = value.trim().split(/\s+(.*)/s);
  if (rest === undefined) return [value];
  if (scheme.toLowerCase() !== "basic") return [value, rest];
  const pair = Buffer.from(rest, "base64").toString();
  return [value, rest, pair, pair.slice(pair.indexOf(":") + 1)];
}
