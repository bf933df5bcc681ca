import { type NewEntry, newEntry } from "#lib/contract/logs/entry.ts";
import { instantOf } from "#lib/store/instant.ts";

/** The entry of what a person said or did (an interruption) at that time. */
export function personEntry(observation: NewEntry["observation"], nowMs: number): NewEntry {
  return newEntry("USER_MESSAGE", instantOf(nowMs), { observation });
}
