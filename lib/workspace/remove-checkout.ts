import { lstat, rm } from "node:fs/promises";
import { join } from "node:path";
import { checkoutPlace } from "./checkout-place.ts";
import { runProgram } from "./run-program.ts";

/** Deletes the folder of a run; its branch stays in the mirror. Does nothing when there is none. */
export async function removeCheckout(options: { dataDir: string; runId: string | number }): Promise<void> {
  const place = checkoutPlace(options.dataDir, options.runId, null);
  await removeTree(place.path);
  await removeTree(join(place.parent, `.finishing-${place.runId}`));
}

/** What a removal at a time may take; the next try goes on from there. */
const programMs = 300_000;
/** Errors of a removal by paths: folders without the right to write, paths longer than a path may be. */
const others = ["EACCES", "EPERM", "ENAMETOOLONG"];

/** Deletes a folder with everything in it, also write-protected and very deep folders. Follows no symbolic link. */
export async function removeTree(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true, maxRetries: 3 });
  } catch (error) {
    if (!(error instanceof Error && "code" in error && others.includes(String(error.code)))) throw error;
    // These programs go from folder to folder and need no path. Files stay as they are: they may have links elsewhere.
    const open = ["-type", "d", "!", "-perm", "-700", "-execdir", "chmod", "u+rwx", "{}", ";"];
    await runProgram("find", [path, ...open], { limitMs: programMs });
    await runProgram("rm", ["-rf", "--", path], { limitMs: programMs });
    if ((await lstat(path).catch(() => null)) !== null) throw error;
  }
}
