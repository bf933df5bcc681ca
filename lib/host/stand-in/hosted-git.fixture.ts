import { execFile } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { HostKind } from "#lib/host/host.ts";

const run = promisify(execFile);

/** What each host says about a push to a protected branch, `$branch`, and about one that it refuses for other reasons. */
const words: Record<HostKind, readonly string[]> = {
  github: [
    "error: GH006: Protected branch update failed for refs/heads/$branch.",
    "",
    "- Changes must be made through a pull request.",
  ],
  gitlab: ["GitLab: You are not allowed to push code to protected branches on this project."],
  forgejo: ["", "Forgejo: Not allowed to push to protected branch $branch", ""],
};

/**
 * Refuses pushes as a host's own hook would. `protected` has one branch per line; with `no-workflows` the credential may not
 * change GitHub's workflow files; with `refusal` every push is refused in these words.
 */
const preReceiveHook = (kind: HostKind) => `#!/bin/sh
if [ -e refusal ]; then cat refusal >&2; exit 1; fi
while read -r before after ref; do
  branch=\${ref#refs/heads/}
  if grep -qxF "$ref" protected 2>/dev/null; then
${words[kind].map((line) => `    echo "${line}" >&2`).join("\n")}
    exit 1
  fi
  file=$(git diff-tree -r --name-only --root "$after" 2>/dev/null | grep '^.github/workflows/' | head -n 1)
  if [ -e no-workflows ] && [ -n "$file" ]; then
    echo "refusing to allow a Personal Access Token to create or update workflow \\\`$file\\\` without \\\`workflow\\\` scope" >&2
    exit 1
  fi
done
`;

/** The bare repositories of a stand-in, in a temporary folder. */
export class HostedGit {
  readonly #root = realpathSync(mkdtempSync(join(tmpdir(), "errand-host-")));
  readonly #folders = new Map<string, string>();
  readonly #kind: HostKind;
  #made = 0;

  constructor(kind: HostKind) {
    this.#kind = kind;
  }

  /** Folder of a bare repository of this name; null if there is none. */
  folderOf(fullName: string): string | null {
    return this.#folders.get(fullName.toLowerCase()) ?? null;
  }

  /** Serves a bare repository that is somewhere else. */
  adopt(fullName: string, folder: string): void {
    this.#folders.set(fullName.toLowerCase(), folder);
  }

  /** Makes a bare repository with one commit on this branch. Returns its folder. */
  async make(fullName: string, branch: string, files: Files): Promise<string> {
    const folder = join(this.#root, `${++this.#made}.git`);
    await this.#git(this.#root, "init", "--quiet", "--bare", "--template=", `--initial-branch=${branch}`, folder);
    mkdirSync(join(folder, "hooks"));
    writeFileSync(join(folder, "hooks", "pre-receive"), preReceiveHook(this.#kind));
    chmodSync(join(folder, "hooks", "pre-receive"), 0o755);
    this.adopt(fullName, folder);
    await this.commit(fullName, branch, { author: "ada", message: "first", files });
    return folder;
  }

  /** Sets what the hook refuses. `refusal`: every push, in these words. */
  protect(
    fullName: string,
    rules: { branches?: readonly string[]; workflows?: boolean; refusal?: string | null },
  ): void {
    const folder = this.#known(fullName);
    const { branches = [], workflows = false, refusal = null } = rules;
    writeFileSync(join(folder, "protected"), branches.map((branch) => `refs/heads/${branch}\n`).join(""));
    const mark = join(folder, "no-workflows");
    if (workflows) writeFileSync(mark, "");
    else rmSync(mark, { force: true });
    if (refusal === null) rmSync(join(folder, "refusal"), { force: true });
    else writeFileSync(join(folder, "refusal"), refusal);
  }

  /**
   * Commits files on a branch, on top of its last commit or of `from`, as a person's push does. A null file is deleted. Returns
   * the commit.
   */
  async commit(fullName: string, branch: string, { author, message, files, from }: NewCommit): Promise<string> {
    const folder = this.#known(fullName);
    const there = await this.headOf(fullName, branch);
    const parent = there ?? (from === undefined ? null : await this.headOf(fullName, from));
    const stream = commitStream(branch, { author, message, files, parent });
    return await this.#git(folder, { input: stream }, "fast-import", "--quiet", "--date-format=now");
  }

  /** Merges a branch into another, as the button of a pull request does. Returns the commit. */
  async merge(
    fullName: string,
    { branch, into, author }: { branch: string; into: string; author: string },
  ): Promise<string> {
    const folder = this.#known(fullName);
    const tree = (await this.#git(folder, "merge-tree", "--write-tree", into, branch)).split("\n")[0] ?? "";
    const parents = [await this.headOf(fullName, into), await this.headOf(fullName, branch)].map((one) => one ?? "");
    const commit = await this.#git(folder, { env: whoIs(author) }, ...commitTree(tree, `Merge ${branch}`, parents));
    await this.#git(folder, "update-ref", `refs/heads/${into}`, commit);
    return commit;
  }

  async deleteBranch(fullName: string, branch: string): Promise<void> {
    await this.#git(this.#known(fullName), "update-ref", "-d", `refs/heads/${branch}`);
  }

  /** The commit at a branch; null if there is no such branch. */
  async headOf(fullName: string, branch: string): Promise<string | null> {
    return (await this.branches(fullName)).get(branch) ?? null;
  }

  /** Every branch and its commit. Empty for a repository that has no folder. Read without git, because it happens at each request. */
  async branches(fullName: string): Promise<Map<string, string>> {
    const folder = this.folderOf(fullName);
    const found = new Map<string, string>();
    if (folder === null) return found;
    const packed = await readFile(join(folder, "packed-refs"), "utf8").catch(() => "");
    for (const [, commit = "", name = ""] of packed.matchAll(/^([0-9a-f]{40}) refs\/heads\/(.+)$/gm)) {
      found.set(name, commit);
    }
    const loose = join(folder, "refs", "heads");
    for (const name of await readdir(loose, { recursive: true })) {
      // A folder, or a branch that has just been deleted.
      const commit = await readFile(join(loose, name), "latin1").catch(() => "");
      if (/^[0-9a-f]{40}\n$/.test(commit)) found.set(name, commit.trimEnd());
    }
    return found;
  }

  /** How many commits of a branch another one lacks. */
  async ahead(fullName: string, branch: string, base: string): Promise<number> {
    return Number(await this.#git(this.#known(fullName), "rev-list", "--count", `${base}..${branch}`));
  }

  /** Messages of a branch's commits, newest first. */
  messages(fullName: string, branch: string): Promise<string> {
    return this.#git(this.#known(fullName), "log", "--format=%B", branch);
  }

  /** Text of a file at a branch or commit; null if it is not there. */
  async read(fullName: string, at: string, path: string): Promise<string | null> {
    return await this.#git(this.#known(fullName), "show", `${at}:${path}`).catch(() => null);
  }

  close(): void {
    rmSync(this.#root, { recursive: true, force: true, maxRetries: 5 });
  }

  #known(fullName: string): string {
    const folder = this.folderOf(fullName);
    if (folder === null) throw new Error(`The stand-in has no git repository ${fullName}.`);
    return folder;
  }

  async #git(cwd: string, ...given: [Given | string, ...string[]]): Promise<string> {
    const [first, ...others] = given;
    const { env: more = {}, input = null } = typeof first === "string" ? {} : first;
    const args = typeof first === "string" ? [first, ...others] : others;
    const env = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null", ...more };
    const running = run("git", ["-c", "safe.directory=*", ...args], { cwd, env, maxBuffer: 1 << 26 });
    // A git that fails reads no further, and says why.
    running.child.stdin?.on("error", () => undefined);
    if (input !== null) running.child.stdin?.end(input);
    const { stdout } = await running;
    return stdout.trimEnd();
  }
}

type Files = Record<string, string | Uint8Array | null>;
type Given = { env?: Record<string, string>; input?: Uint8Array };
type NewCommit = { author: string; message: string; files: Files; from?: string };

/** A commit as `git fast-import` reads it, which then says the commit's id. */
function commitStream(
  branch: string,
  { author, message, files, parent }: Omit<NewCommit, "from"> & { parent: string | null },
): Uint8Array {
  const data = (content: string | Uint8Array) => {
    const bytes = Buffer.from(content);
    return [`data ${bytes.length}\n`, bytes, "\n"];
  };
  const who = `${author} <${author}@users.noreply.example> now\n`;
  const parts: (string | Uint8Array)[] = [
    ...[`commit refs/heads/${branch}\nmark :1\n`, `author ${who}`, `committer ${who}`, ...data(`${message}\n`)],
    parent === null ? "" : `from ${parent}\n`,
    ...Object.entries(files).flatMap(([path, content]) =>
      content === null ? [`D ${path}\n`] : [`M 100644 inline ${path}\n`, ...data(content)],
    ),
    "get-mark :1\n",
  ];
  return Buffer.concat(parts.map((part) => Buffer.from(part)));
}

function whoIs(login: string): { env: Record<string, string> }["env"] {
  const email = `${login}@users.noreply.example`;
  return {
    GIT_AUTHOR_NAME: login,
    GIT_AUTHOR_EMAIL: email,
    GIT_COMMITTER_NAME: login,
    GIT_COMMITTER_EMAIL: email,
  };
}

function commitTree(tree: string, message: string, parents: readonly string[]): [string, ...string[]] {
  return ["commit-tree", tree, "-m", message, ...parents.flatMap((parent) => ["-p", parent])];
}
