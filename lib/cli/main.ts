import { ConfigError } from "#lib/config.ts";
import { runCommand } from "./command.ts";
import { UsageError } from "./usage-error.ts";

runCommand(process.argv.slice(2)).then(
  (code) => {
    process.exit(code);
  },
  (error: unknown) => {
    const message = error instanceof Error ? error.message : String(error);
    // Errors a person can act on are one line; a defect shows its stack.
    const known = error instanceof UsageError || error instanceof ConfigError || isKnown(error);
    process.stderr.write(`errand: ${known || !(error instanceof Error) ? message : (error.stack ?? message)}\n`);
    process.exit(error instanceof UsageError ? 2 : 1);
  },
);

/**
 * Errors of the store, the workspace, git, the agents file and a contacted service have their own names and messages for people;
 * those of the system (a full disk, a file where a folder should be) name the path or the call.
 */
function isKnown(error: unknown): boolean {
  const names = ["StoreError", "WorkspaceError", "GitError", "AgentsFileError", "RefusedError"];
  return error instanceof Error && (names.includes(error.name) || "syscall" in error);
}
