import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { UsageError } from "./usage-error.ts";

/** Runs `tar`. Throws an error of one line, which begins with `what`. */
export async function tar(args: readonly string[], what: string): Promise<void> {
  try {
    // A zero size of blocks at the end is no error; everything else is.
    await promisify(execFile)("tar", [...args], { maxBuffer: 16 * 1024 * 1024 });
  } catch (error) {
    const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
    const said = error instanceof Error && "stderr" in error ? String(error.stderr).trim().split("\n")[0] : "";
    throw new UsageError(`${what}: ${isMissing ? "the program tar was not found" : said || String(error)}`);
  }
}

/** Name of the file in an archive that says what it is. */
export const manifestName = "backup.json";
