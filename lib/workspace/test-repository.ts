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
  return run(cwd, "git", args);
}

/** Several git commands by one shell: a start from this process, which is large, costs more than git's work. */
function gitInTurn(cwd: string, script: string, ...args: string[]): string {
  return run(cwd, "sh", ["-ec", script, "sh", ...args]);
}

function run(cwd: string, file: string, args: string[]): string {
  const settings = [
    "user.name=Ada",
    "user.email=ada@localhost",
    "protocol.file.allow=always",
    "maintenance.auto=false",
  ];
  const env: NodeJS.ProcessEnv = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" };
  env.GIT_CONFIG_COUNT = String(settings.length);
  for (const [at, setting] of settings.entries()) {
    [env[`GIT_CONFIG_KEY_${at}`], env[`GIT_CONFIG_VALUE_${at}`]] = setting.split("=");
  }
  return execFileSync(file, args, { cwd, env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }).trim();
}

/** For tests: writes files below a folder. */
export function writeFiles(folder: string, files: Record<string, string | Uint8Array>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
}

const commitScript = 'git add --all; git commit --quiet --message "$1"; git rev-parse HEAD';

/** For tests: commits everything in a folder. Returns the commit. */
export function commitAll(folder: string, message: string): string {
  return gitInTurn(folder, commitScript, message);
}

/** For tests: a repository with one commit on main. */
export function makeRepository(
  folder: string,
  files: Record<string, string | Uint8Array> = { "a.txt": "one\n" },
): string {
  mkdirSync(folder, { recursive: true });
  writeFiles(folder, files);
  return gitInTurn(folder, `git init --quiet --initial-branch=main; ${commitScript}`, "first");
}
