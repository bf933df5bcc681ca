import type { Deprecation } from "#lib/contract/operation.ts";

/**
 * The headers with which every answer of a deprecated operation says so: `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and a
 * `Link` to what to do instead. `publicUrl` is the instance's address, without a slash at its end.
 */
export function deprecationHeaders({ since, sunset, link }: Deprecation, publicUrl: string): Record<string, string> {
  return {
    deprecation: `@${Date.parse(since) / 1000}`,
    sunset: new Date(sunset).toUTCString(),
    link: `<${publicUrl}${link}>; rel="deprecation"; type="text/html"`,
  };
}
