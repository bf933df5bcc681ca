import type { Deprecation } from "#lib/contract/operation.ts";

/**
 * Headers on every response of a deprecated operation: `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and a `Link` to what to do
 * instead. `publicUrl` is the installation's address, without a trailing slash.
 */
export function deprecationHeaders({ since, sunset, link }: Deprecation, publicUrl: string): Record<string, string> {
  return {
    deprecation: `@${Date.parse(since) / 1000}`,
    sunset: new Date(sunset).toUTCString(),
    link: `<${publicUrl}${link}>; rel="deprecation"; type="text/html"`,
  };
}
