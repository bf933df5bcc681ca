import { AgentStartError } from "#lib/agents/agent.ts";
import type { NewEntry } from "#lib/contract/logs/entry.ts";
import { messageOf } from "#lib/message-of.ts";
import { isDiskFull } from "#lib/store/store-error.ts";
import { lacksSpace } from "#lib/workspace/full-disk.ts";
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

const fullDisk = /\bENOSPC\b|\bEDQUOT\b|no space left on device|disk quota exceeded/i;
const diskFullWords =
  "Errand's disk was full: the agent was stopped, and its last steps are missing. Resume the run to continue.";

/**
 * ERROR entry for an error: the agent's own, or one with the error's code; `internal` if it has none. `disk_full` if the disk was
 * full, whoever met it.
 */
export function entryOfError(error: unknown): NewEntry {
  if (error instanceof AgentStartError) return isOfFullDisk(error.entry) ? startOnFullDisk(error.entry) : error.entry;
  if (isDiskFull(error)) return errorEntry("disk_full", diskFullWords);
  if (lacksSpace(error) || (error instanceof Error && lacksSpace(error.cause))) {
    return errorEntry("disk_full", `Errand's disk was full. Resume the run to continue. ${messageOf(error)}`);
  }
  const code = error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "internal";
  return errorEntry(code, messageOf(error));
}

/** Whether an agent's error or last output, in any of its lines, is about a full disk. Watched files have the same error code. */
function isOfFullDisk({ observation }: NewEntry): boolean {
  const lines = (JSON.stringify(observation) ?? "").split("\\n");
  return lines.some((line) => fullDisk.test(line) && !/inotify|watch/i.test(line));
}

function startOnFullDisk(entry: NewEntry): NewEntry {
  const { message } = Object(entry.observation);
  const words = `The disk was full when the agent started. Resume the run when there is space. ${message}`;
  return { ...entry, observation: { ...Object(entry.observation), code: "disk_full", message: words } };
}

/** True for an entry of {@link entryOfError} for an unexpected error. */
export function isInternal({ observation }: NewEntry): boolean {
  return typeof observation === "object" && observation?.code === "internal";
}
