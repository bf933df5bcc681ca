import { resolve } from "node:path";

/**
 * Normalizes a source, so that it is not added twice: spaces around it, and `//`, `..` and a trailing `/` in a path.
 */
export function normalizedSource(source: string): string {
  const trimmed = source.trim();
  return trimmed.startsWith("/") ? resolve(trimmed) : trimmed;
}
