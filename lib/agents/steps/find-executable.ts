import { access, constants, stat } from "node:fs/promises";
import { delimiter, join } from "node:path";

/** The absolute path of a program found on the PATH of an environment, or null where it is not installed. */
export async function findExecutable(name: string, env: NodeJS.Dict<string>): Promise<string | null> {
  for (const folder of (env.PATH ?? "").split(delimiter)) {
    if (!folder.startsWith("/")) continue;
    const file = join(folder, name);
    try {
      await access(file, constants.X_OK);
      if ((await stat(file)).isFile()) return file;
    } catch {
      // Not in this folder: the next one decides.
    }
  }
  return null;
}
