import { findExecutable } from "#lib/find-executable.ts";

/**
 * `command` with its program as an absolute path: looked up in `path` (a PATH variable) if it has no slash. Null if there is no
 * such executable file.
 */
export async function findCommand(command: string[], path: string): Promise<string[] | null> {
  const [program = "", ...parameters] = command;
  const found = await findExecutable(program, path);
  return found === null ? null : [found, ...parameters];
}
