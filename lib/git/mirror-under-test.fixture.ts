import { execFileSync, spawn } from "node:child_process";
import { readdirSync, readlinkSync } from "node:fs";
import type { ApiUnderTest } from "#lib/web/api-under-test.ts";
import { ensureMirror, mirrorPath } from "#lib/workspace/mirror.ts";
import { git, makeRepository, testEnv } from "#lib/workspace/test-repository.ts";

/** Output of a git client. */
export type Said = { code: number | null; stdout: string; stderr: string };

/**
 * A source with this content, registered as a repository of the first organization, and its mirror. `address` is the registered
 * source.
 */
export async function mirrored(
  api: ApiUnderTest,
  source: string,
  { address = source, files = { "a.txt": "one\n" } as Record<string, string | Uint8Array> } = {},
): Promise<{ id: number; mirror: string; commit: string }> {
  const commit = makeRepository(source, files);
  const added = { name: "source", fullName: "source", description: null, source: address, defaultBranch: "main" };
  const { repository } = await api.store.repositories.add(api.home, added);
  await refetched(api, repository.id, source);
  return { id: repository.id, mirror: mirrorPath(api.dataDir, repository.id), commit };
}

/** Updates a mirror, as the start of a run does. */
export async function refetched(api: ApiUnderTest, repoId: number, source: string): Promise<void> {
  await ensureMirror({ dataDir: api.dataDir, repoId, source, env: testEnv });
}

/** Gives a run's branch a commit with another text in `a.txt`, and returns the commit. */
export function commitOnRun(mirror: string, runId: number, text = "two\n"): string {
  const parent = git(mirror, "for-each-ref", "--count=1", "--format=%(objectname)", "refs/remotes/origin/main");
  const blob = gitWith(mirror, text, "hash-object", "-w", "--stdin");
  const tree = gitWith(mirror, `100644 blob ${blob}\ta.txt\n`, "mktree");
  const parents = parent === "" ? [] : ["-p", parent];
  const commit = git(mirror, "commit-tree", ...parents, "-m", "by a run", tree);
  git(mirror, "update-ref", `refs/heads/errand/run-${runId}`, commit);
  return commit;
}

/** Runs git as a person would, without prompts. */
export function client(cwd: string, ...args: string[]): Promise<Said> {
  const env = {
    ...process.env,
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_CONFIG_SYSTEM: "/dev/null",
    GIT_TERMINAL_PROMPT: "0",
  };
  const child = spawn("git", args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  const said: Said = { code: null, stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    said.stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said.stderr += text;
  });
  return new Promise((resolve) => child.once("close", (code) => resolve({ ...said, code })));
}

/** Processes whose working folder is in that folder: those that read a mirror. */
export function processesIn(folder: string): string[] {
  return readdirSync("/proc").filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      return readlinkSync(`/proc/${name}/cwd`).startsWith(folder);
    } catch {
      return false;
    }
  });
}

function gitWith(cwd: string, input: string, ...args: string[]): string {
  return execFileSync("git", args, { cwd, input, encoding: "utf8" }).trim();
}

/** Address for fetching a repository (its id, or "runs/1" and the like) with a token. */
export function fetchAddress(port: number, path: string | number, token = ""): string {
  return `http://${token === "" ? "" : `anybody:${token}@`}127.0.0.1:${port}/git/1/${path}.git`;
}

/** The header with which git sends a token. */
export function basic(token: string, user = ""): { authorization: string } {
  return { authorization: `Basic ${Buffer.from(`${user}:${token}`).toString("base64")}` };
}

/** The first request of a fetch. */
export function refsOf(id: number | string): string {
  return `/git/1/${id}.git/info/refs?service=git-upload-pack`;
}
