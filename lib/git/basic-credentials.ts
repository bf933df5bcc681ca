/**
 * An Authorization header with Basic credentials (RFC 7617), converted to the Bearer header of its password; any other header
 * unchanged, null for none.
 */
export function bearerOf(authorization: string | null): string | null {
  const [, encoded] = /^basic +([A-Za-z0-9+/_=-]+) *$/i.exec(authorization ?? "") ?? [];
  if (encoded === undefined) return authorization;
  const pair = Buffer.from(encoded, "base64").toString();
  return `Bearer ${pair.slice(pair.indexOf(":") + 1)}`;
}
