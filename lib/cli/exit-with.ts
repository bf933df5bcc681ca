/** Ends this process with the code of a command. A failure is written to standard error: in one line if a person can act on it. */
export function exitWith(command: Promise<number>): void {
  command.then(
    (code) => process.exit(code),
    (error: unknown) => {
      const message = error instanceof Error ? error.message : String(error);
      // A defect shows its stack.
      process.stderr.write(
        `errand: ${isKnown(error) || !(error instanceof Error) ? message : (error.stack ?? message)}\n`,
      );
      process.exit(error instanceof Error && error.name === "UsageError" ? 2 : 1);
    },
  );
}

const known = [
  "UsageError",
  "ConfigError",
  "StoreError",
  "WorkspaceError",
  "GitError",
  "AgentsFileError",
  "RefusedError",
];

/**
 * Errors of a command's words, the settings, the store, the workspace, git, the agents file and a contacted service have their own
 * names and messages for people; those of the system (a full disk, a file where a folder should be) name the path or the call.
 */
function isKnown(error: unknown): boolean {
  return error instanceof Error && (known.includes(error.name) || "syscall" in error);
}
