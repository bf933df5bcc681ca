import { type AllowedTargets, readAllowedTargets } from "./allowed-targets.ts";

/** Targets allowed by a list; throws if it cannot be read. */
export function allowedOf(text: string): AllowedTargets {
  const read = readAllowedTargets(text);
  if ("unreadable" in read) throw new Error(`"${read.unreadable}" cannot be read`);
  return read.allowed;
}
