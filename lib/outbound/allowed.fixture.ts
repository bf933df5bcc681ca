import { type AllowedTargets, readAllowedTargets } from "./allowed-targets.ts";

/** The targets that a list allows; throws where it cannot be read. */
export function allowedOf(text: string): AllowedTargets {
  const read = readAllowedTargets(text);
  if ("unreadable" in read) throw new Error(`"${read.unreadable}" cannot be read`);
  return read.allowed;
}
