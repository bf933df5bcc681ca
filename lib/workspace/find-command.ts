import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { delimiter, isAbsolute, resolve } from "node:path";
import type { Environment } from "./environment.ts";
import { WorkspaceError } from "./workspace-error.ts";

/**
 * The absolute path of a program: names are looked up on env.PATH, other paths are taken from `cwd`.
 * Throws WorkspaceError `command_not_found` when there is none that may be executed.
 */
export async function findCommand(command: string, cwd: string, env: Environment): Promise<string> {
  if (command === "" || command.includes("\0")) throw notFound(command, "it is no name of a program");
  if (command.includes("/")) {
    const path = resolve(cwd, command);
    if (await isExecutable(path)) return path;
    throw notFound(command, "there is no executable file");
  }
  for (const folder of (env.PATH ?? "").split(delimiter)) {
    if (isAbsolute(folder) && (await isExecutable(resolve(folder, command)))) return resolve(folder, command);
  }
  throw notFound(command, "it is not on PATH");
}

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

function notFound(command: string, why: string): WorkspaceError {
  return new WorkspaceError("command_not_found", `The command "${command}" was not found: ${why}.`);
}
