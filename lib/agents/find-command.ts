import { access, constants, stat } from "node:fs/promises";
import { delimiter, resolve } from "node:path";

/**
 * `command` with its program as an absolute path: looked up in `path` (a PATH variable) where it has no slash. Null
 * where there is no such executable file.
 */
export async function findCommand(command: string[], path: string): Promise<string[] | null> {
  const [program, ...parameters] = command;
  if (program === undefined || program === "") return null;
  const candidates = program.includes("/")
    ? [resolve(program)]
    : path
        .split(delimiter)
        .filter((folder) => folder.startsWith("/"))
        .map((folder) => resolve(folder, program));
  for (const candidate of candidates) {
    if (await isExecutable(candidate)) return [candidate, ...parameters];
  }
  return null;
}

async function isExecutable(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}
