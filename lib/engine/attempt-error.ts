import { AgentStartError } from "#lib/agents/agent.ts";
import type { NewEntry } from "#lib/contract/entry.ts";
import { errorEntry } from "./ending-entries.ts";

/** Why an attempt cannot go on, with a code of its own for the run's log. */
export class AttemptError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.name = "AttemptError";
    this.code = code;
  }
}

/** The ERROR entry that tells of an error: the agent's own, or one with the error's code; `internal` where it has none. */
export function entryOfError(error: unknown): NewEntry {
  if (error instanceof AgentStartError) return error.entry;
  const code = error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "internal";
  return errorEntry(code, messageOf(error));
}

/** True for an entry of {@link entryOfError} whose error nobody foresaw. */
export function isInternal({ observation }: NewEntry): boolean {
  return typeof observation === "object" && observation?.code === "internal";
}

/** What an error says, whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
