import type { NewEntry } from "#lib/contract/entry.ts";
import { instantOf } from "./instant.ts";

/** The entry of what a person said or did (an interruption) at that time. */
export function personEntry(observation: NewEntry["observation"], nowMs: number): NewEntry {
  return {
    created_at: instantOf(nowMs),
    message_type: "USER_MESSAGE",
    thought: null,
    tool_name: null,
    tool_input: null,
    tool_output: null,
    observation,
  };
}
