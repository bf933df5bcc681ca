/** In order of preference. */
const encodings = ["zstd", "gzip"] as const;
type ContentEncoding = (typeof encodings)[number];

/** For clients that accept anything: all know it. */
const forAny: ContentEncoding = "gzip";

/** Encoding for a client that sent this Accept-Encoding (RFC 9110, 12.5.3), or null for none: q=0 refuses one. */
export function chooseEncoding(acceptEncoding: string): ContentEncoding | null {
  const accepted = new Map<string, boolean>();
  for (const part of acceptEncoding.toLowerCase().split(",")) {
    const [name = "", ...parameters] = part.split(";").map((word) => word.trim());
    accepted.set(name, !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter)));
  }
  const isRefused = (encoding: ContentEncoding) => accepted.get(encoding) === false;
  const named = encodings.find((encoding) => accepted.get(encoding));
  if (named !== undefined || !accepted.get("*")) return named ?? null;
  return [forAny, ...encodings].find((encoding) => !isRefused(encoding)) ?? null;
}
