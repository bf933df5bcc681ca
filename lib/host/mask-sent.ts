import { maskOf, secretsInHeaders } from "#lib/entry/mask-values.ts";

/**
 * The other side's message without the credentials that were sent to it: services and proxies repeat a bad one in their errors,
 * which are stored and shown. Apply it before the message is cut.
 */
export function maskSent(text: string, headers: Record<string, string>): string {
  return maskOf(secretsInHeaders(headers, 1)).text(text);
}
