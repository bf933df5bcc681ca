import { writeFile } from "node:fs/promises";
import { join } from "node:path";

/**
 * Creates a `.gitignore` in the data folder, which may be inside a repository: `git add` there must not take the store and its key.
 * An existing file stays. Never throws: a start does not depend on it.
 */
export async function hideFromGit(dataDir: string): Promise<void> {
  await writeFile(join(dataDir, ".gitignore"), "*\n", { flag: "wx" }).catch(() => undefined);
}
