import { chmodSync, mkdtempSync, readFileSync, rmSync, statfsSync } from "node:fs";
import { join } from "node:path";

/**
 * A folder in memory for the tests' stores and repositories, removed when this process exits; undefined if there is no room for
 * them, or if nothing may be executed there. On a disk the tests spend a third of their time waiting for writes that must survive
 * a loss of power.
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
    // Open to all like the usual one, because some tests use other users.
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
