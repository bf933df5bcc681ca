import { findExecutable } from "#lib/find-executable.ts";
import type { Environment } from "./environment.ts";
import { WorkspaceError } from "./workspace-error.ts";

/**
 * The absolute path of a program: names are looked up on env.PATH, other paths are taken from `cwd`.
 * Throws WorkspaceError `command_not_found` when there is none that may be executed.
 */
export async function findCommand(command: string, cwd: string, env: Environment): Promise<string> {
  const found = await findExecutable(command, env.PATH, cwd);
  if (found !== null) return found;
  throw new WorkspaceError("command_not_found", `The command "${command}" was not found: ${whyNot(command)}.`);
}

function whyNot(command: string): string {
  if (command === "" || command.includes("\0")) return "it is not the name of a program";
  return command.includes("/") ? "there is no executable file" : "it is not on PATH";
}
