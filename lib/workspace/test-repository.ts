import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { TestContext } from "node:test";

/** For tests: the environment this process was started with. */
export const testEnv = process.env;

/** For tests: a temporary folder, removed with the test; its path has a space and an emoji. */
export function temporaryFolder(t: TestContext): string {
  const path = realpathSync(mkdtempSync(join(tmpdir(), "errand 🧭 ")));
  t.after(() => rmSync(path, { recursive: true, force: true, maxRetries: 5 }));
  return path;
}

/** For tests: runs plain git as a person would, without the service's settings. */
export function git(cwd: string, ...args: string[]): string {
  const who = ["-c", "user.name=Ada", "-c", "user.email=ada@localhost", "-c", "protocol.file.allow=always"];
  const env = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" };
  return execFileSync("git", [...who, ...args], {
    cwd,
    env,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  }).trim();
}

/** For tests: writes files below a folder. */
export function writeFiles(folder: string, files: Record<string, string | Uint8Array>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
}

/** For tests: commits everything in a folder. Returns the commit. */
export function commitAll(folder: string, message: string): string {
  git(folder, "add", "--all");
  git(folder, "commit", "--quiet", "--message", message);
  return git(folder, "rev-parse", "HEAD");
}

/** For tests: a repository with one commit on main. */
export function makeRepository(
  folder: string,
  files: Record<string, string | Uint8Array> = { "a.txt": "one\n" },
): string {
  mkdirSync(folder, { recursive: true });
  git(folder, "init", "--quiet", "--initial-branch=main");
  writeFiles(folder, files);
  return commitAll(folder, "first");
}
