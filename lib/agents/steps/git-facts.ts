import { execFile } from "node:child_process";
import { readdir } from "node:fs/promises";
import { join, relative } from "node:path";
import { awakeLimit } from "#lib/awake-timer.ts";
import { processEnvironment } from "./process-environment.ts";

const timeoutMs = 30_000;
const outputBytesMax = 64 * 1024 * 1024;
const listedFilesMax = 20_000;

/** Folder and environment of git commands. */
export type GitPlace = { cwd: string; env: NodeJS.Dict<string>; signal: AbortSignal };

/** Output of a git command that only reads, or null if it fails, is not installed, or takes more than 30 s. */
export async function tryGit(args: string[], { cwd, env, signal }: GitPlace): Promise<string | null> {
  using limit = awakeLimit(timeoutMs, signal);
  const options = {
    cwd,
    env: processEnvironment({ ...env, GIT_OPTIONAL_LOCKS: "0" }),
    signal: limit.signal,
    maxBuffer: outputBytesMax,
    encoding: "utf8" as const,
  };
  return await new Promise((resolve) => {
    execFile("git", args, options, (error, stdout) => resolve(error === null ? stdout : null));
  });
}

/** The state of a folder: not a git repository at all, one without a commit, or one with history. */
export async function readHistoryState(place: GitPlace): Promise<"none" | "unborn" | "commits"> {
  if ((await tryGit(["rev-parse", "--is-inside-work-tree"], place))?.trim() !== "true") return "none";
  return (await tryGit(["rev-parse", "--verify", "--quiet", "HEAD"], place)) === null ? "unborn" : "commits";
}

/**
 * The files of a folder, relative to it: in a repository those that git tracks or would add, elsewhere all but those in
 * `node_modules` and hidden folders; no further folder is read after 20,000 files.
 */
export async function listFiles(place: GitPlace): Promise<string[]> {
  const listed = await tryGit(["ls-files", "-z", "--cached", "--others", "--exclude-standard"], place);
  if (listed !== null) return listed.split("\0").filter((path) => path !== "");
  const files: string[] = [];
  const folders = [place.cwd];
  for (let folder = folders.pop(); folder !== undefined && files.length < listedFilesMax; folder = folders.pop()) {
    for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
      if (entry.isFile()) files.push(relative(place.cwd, join(folder, entry.name)));
      else if (entry.isDirectory() && entry.name !== "node_modules" && !entry.name.startsWith(".")) {
        folders.push(join(folder, entry.name));
      }
    }
  }
  return files;
}

/** One paragraph on what differs from the last commit, at most 40 lines of it; null if git cannot tell. */
export async function describeChanges(place: GitPlace): Promise<string | null> {
  const status = await tryGit(["status", "--short"], place);
  if (status === null) return null;
  const lines = status.split("\n").filter((line) => line !== "");
  if (lines.length === 0) return "The work tree has no uncommitted changes.";
  const shown = lines.slice(0, 40);
  const more = lines.length > shown.length ? `\n… and ${lines.length - shown.length} more` : "";
  return `Uncommitted changes in the work tree:\n\n\`\`\`text\n${shown.join("\n")}${more}\n\`\`\``;
}
