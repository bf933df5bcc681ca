import { chmod, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { checkoutPlace } from "./checkout-place.ts";

/** Deletes the folder of a run; its branch stays in the mirror. Does nothing when there is none. */
export async function removeCheckout(options: { dataDir: string; runId: string | number }): Promise<void> {
  const place = checkoutPlace(options.dataDir, options.runId, null);
  await removeTree(place.path);
  await removeTree(join(place.parent, `.finishing-${place.runId}`));
}

/** Deletes a folder with everything in it, write-protected folders (package caches) too. Follows no symbolic link. */
export async function removeTree(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true, maxRetries: 3 });
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code !== "EACCES" && code !== "EPERM") throw error;
    await openFolders(path);
    await rm(path, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** The failed removal may still be deleting other folders, which then need no change. */
async function openFolders(path: string): Promise<void> {
  try {
    await chmod(path, 0o700);
    for (const entry of await readdir(path, { withFileTypes: true })) {
      if (entry.isDirectory()) await openFolders(join(path, entry.name));
    }
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
  }
}
