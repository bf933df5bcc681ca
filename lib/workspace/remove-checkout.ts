import { spawn } from "node:child_process";
import { lstat, rm } from "node:fs/promises";
import { join } from "node:path";
import { checkoutPlace } from "./checkout-place.ts";

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
    await runSilently("find", [path, ...open]);
    await runSilently("rm", ["-rf", "--", path]);
    if ((await lstat(path).catch(() => null)) !== null) throw error;
  }
}

/** Errors name paths, which may be of any length: nothing of them is read. */
function runSilently(program: string, args: string[]): Promise<void> {
  const child = spawn(program, args, { stdio: "ignore", timeout: programMs, killSignal: "SIGKILL" });
  return new Promise((resolve) => {
    child.once("error", () => resolve());
    child.once("close", () => resolve());
  });
}
