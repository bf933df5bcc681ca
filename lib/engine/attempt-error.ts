import { AgentStartError } from "#lib/agents/agent.ts";
import type { NewEntry } from "#lib/contract/entry.ts";
import { messageOf } from "#lib/message-of.ts";
import { isDiskFull } from "#lib/store/store-error.ts";
import { errorEntry } from "./ending-entries.ts";

/** Why an attempt cannot continue, with its own code for the run's log. */
export class AttemptError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.name = "AttemptError";
    this.code = code;
  }
}

const diskFullWords =
  "Errand's disk was full: the agent was stopped, and its last steps are missing. Resume the run to continue.";

/** ERROR entry for an error: the agent's own, or one with the error's code; `internal` if it has none. */
export function entryOfError(error: unknown): NewEntry {
  if (error instanceof AgentStartError) return error.entry;
  if (isDiskFull(error)) return errorEntry("disk_full", diskFullWords);
  const code = error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "internal";
  return errorEntry(code, messageOf(error));
}

/** True for an entry of {@link entryOfError} for an unexpected error. */
export function isInternal({ observation }: NewEntry): boolean {
  return typeof observation === "object" && observation?.code === "internal";
}
