import { chmodSync, mkdtempSync, readFileSync, rmSync, statfsSync } from "node:fs";
import { join } from "node:path";

/**
 * A folder in memory for the tests' stores and repositories, removed when this process exits; undefined where there is no room for
 * them, or nothing may be executed there. On a disk the tests wait a third of the time for what is to outlive a loss of power.
 */
export function openMemoryFolder() {
  const memory = "/dev/shm";
  const roomBytes = 4 * 1024 ** 3;
  try {
    const { bavail, bsize } = statfsSync(memory);
    const [, options = "noexec"] =
      new RegExp(`^\\S+ ${memory} \\S+ (\\S+)`, "m").exec(readFileSync("/proc/mounts", "utf8")) ?? [];
    if (bavail * bsize < roomBytes || options.split(",").includes("noexec")) return undefined;
    const folder = mkdtempSync(join(memory, "errand-test-"));
    // Open to all as the usual one is: some tests have users of their own.
    chmodSync(folder, 0o1777);
    process.once("exit", () => {
      try {
        rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
      } catch (error) {
        console.error(`errand: ${folder} cannot be removed (${error.message}).`);
      }
    });
    return folder;
  } catch {
    return undefined;
  }
}
