import { stat } from "node:fs/promises";
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

/** Identifies a command and its version: its words, and when its program's file changed. Null if there is no such program. */
export async function markOfCommand(command: string[], path: string): Promise<string | null> {
  const found = await findCommand(command, path);
  if (found === null) return null;
  const file = await stat(found[0] ?? "", { bigint: true }).catch(() => null);
  return file === null ? null : `${JSON.stringify(found)} ${file.mtimeNs} ${file.size}`;
}
