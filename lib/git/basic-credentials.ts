/**
 * An Authorization header with Basic credentials (RFC 7617) as the Bearer header that its password stands for; any other header
 * as it is, null for none.
 */
export function bearerOf(authorization: string | null): string | null {
  const [, encoded] = /^basic +([A-Za-z0-9+/_=-]+) *$/i.exec(authorization ?? "") ?? [];
  if (encoded === undefined) return authorization;
  const pair = Buffer.from(encoded, "base64").toString();
  return `Bearer ${pair.slice(pair.indexOf(":") + 1)}`;
}
