import { randomInt } from "node:crypto";
import { mkdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const made: string[] = [];

process.on("exit", () => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
});

/**
 * A new folder, removed when this process ends. Its name ends in digits, because a journey could find random letters by what it
 * types.
 */
export function temporaryFolder(prefix: string): string {
  const folder = join(tmpdir(), `${prefix}${randomInt(2 ** 47)}`);
  mkdirSync(folder, { mode: 0o700 });
  made.push(folder);
  return folder;
}
