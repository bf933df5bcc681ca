import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "./temporary-folder.ts";

/** Creates a repository with one commit, in a new temporary folder with a space in its name. */
export function makeRepository(
  files: Record<string, string> = { "README.md": "# Greeter\n" },
  name = "errand repo ",
): string {
  const folder = temporaryFolder(name);
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=Test", "-c", "user.email=test@example.com", ...args], { cwd: folder });
  git("init", "--quiet", "--initial-branch=main");
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  git("add", "--all");
  git("commit", "--quiet", "--allow-empty", "-m", "Begin");
  return folder;
}
