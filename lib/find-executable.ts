import { access, constants, stat } from "node:fs/promises";
import { delimiter, isAbsolute, resolve } from "node:path";

/**
 * Absolute path of a program, or null if there is no executable one. A name is looked up in the absolute folders of `path` (a
 * PATH variable); one with a slash is a path relative to `cwd`, by default this process's.
 */
export async function findExecutable(program: string, path: string | undefined, cwd = "."): Promise<string | null> {
  if (program === "" || program.includes("\0")) return null;
  const candidates = program.includes("/")
    ? [resolve(cwd, program)]
    : (path ?? "")
        .split(delimiter)
        .filter(isAbsolute)
        .map((folder) => resolve(folder, program));
  for (const candidate of candidates) if (await isExecutable(candidate)) return candidate;
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
