import { resolve } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * Normalizes a source, so that it is not added twice: spaces around it, `//`, `..` and a trailing `/` in a path, and the path for
 * a file:// address. One that is not valid stays as it is; whoever reads it refuses it.
 */
export function normalizedSource(source: string): string {
  const trimmed = source.trim();
  if (trimmed.startsWith("/")) return resolve(trimmed);
  return /^file:/i.test(trimmed) ? (pathOf(trimmed) ?? trimmed) : trimmed;
}

function pathOf(address: string): string | null {
  try {
    return resolve(fileURLToPath(address));
  } catch {
    return null;
  }
}
