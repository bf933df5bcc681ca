import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { UsageError } from "./usage-error.ts";

/**
 * Runs `tar`. Throws an error of one line, which begins with `what`. A file that "changed" while it was archived has gained or
 * lost a hard link, as when a run's checkout is made from a mirror: git never changes an existing file.
 */
export async function tar(args: readonly string[], what: string): Promise<void> {
  try {
    const env = { ...process.env, LC_ALL: "C" };
    await promisify(execFile)("tar", [...args], { maxBuffer: 16 * 1024 * 1024, env });
  } catch (error) {
    const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
    const lines = error instanceof Error && "stderr" in error ? String(error.stderr).trim().split("\n") : [];
    const said = lines.filter((line) => !line.endsWith(": file changed as we read it"));
    if (lines.length > 0 && said.length === 0 && error instanceof Error && "code" in error && error.code === 1) return;
    // The first line about a full disk only says that less was written.
    const why = said.find((line) => line.endsWith("No space left on device")) ?? said[0];
    throw new UsageError(`${what}: ${isMissing ? "tar was not found on PATH: install it" : why || String(error)}`);
  }
}

/** Name of the file that describes an archive. */
export const manifestName = "backup.json";
