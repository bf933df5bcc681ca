import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type GitContext, readGit, runGit } from "./git.ts";
import { localUploadPack } from "./source.ts";

/** Options of a new `.git` folder of a checkout. */
export interface GitDirectoryOptions extends GitContext {
  /** The bare repository it is a copy of. */
  mirror: string;
  /** The folder that gets a `.git`; must exist, the `.git` must not. */
  path: string;
  /** The branch HEAD will name. */
  branch: string;
  /** The commit that branch begins at; null leaves it without one. */
  commit: string | null;
  /** A second local branch, so that an agent can say `main..HEAD`; null for none. */
  base: { branch: string; commit: string } | null;
}

/**
 * Makes the `.git` folder of a checkout, without files and index. It is a complete repository: its objects are hard links to the
 * mirror's (or copies, if the file system has no hard links), so that it does not depend on objects the mirror drops later. It has
 * the source's branches as refs/remotes/origin/*, its tags, no branches of other runs, no remote (an agent cannot push into the
 * source or the mirror by accident), no hooks. The mirror's lock must be held.
 */
export async function makeGitDirectory(options: GitDirectoryOptions): Promise<void> {
  const { mirror, path, branch, commit, base, env, signal } = options;
  const git = join(path, ".git");
  const format = await formatOf(options);
  await runGit(["clone", "--mirror", "--quiet", "--template=", localUploadPack, "--", mirror, git], {
    cwd: path,
    env,
    signal,
    timeoutMs: 600_000,
  });
  await writeFile(join(git, "config"), configText(format));
  await mkdir(join(git, "info"), { recursive: true });
  await rm(join(git, "FETCH_HEAD"), { force: true });
  const inGit = { cwd: git, env, signal };
  const foreign = await runGit(["for-each-ref", "--format=delete %(refname)", "refs/heads", "refs/errand"], inGit);
  await writeFile(join(git, "HEAD"), `ref: refs/heads/${branch}\n`);
  if (foreign.stdout.length > 0) await runGit(["update-ref", "--stdin"], { ...inGit, stdin: foreign.stdout });
  const create = commit === null ? "" : `create refs/heads/${branch} ${commit}\n`;
  // Git stores a branch as a file, so `errand` cannot exist beside `errand/run-1`.
  const clash =
    base !== null && (`${base.branch}/`.startsWith(`${branch}/`) || `${branch}/`.startsWith(`${base.branch}/`));
  const createBase = base === null || clash ? "" : `create refs/heads/${base.branch} ${base.commit}\n`;
  const created = create + createBase;
  if (created !== "") await runGit(["update-ref", "--stdin"], { ...inGit, stdin: created });
}

/** The mirror's object format, derived from the length of a commit's id. */
async function formatOf({ mirror, commit, env, signal }: GitDirectoryOptions): Promise<string> {
  if (commit !== null) return commit.length === 64 ? "sha256" : "sha1";
  return readGit(["rev-parse", "--show-object-format"], { cwd: mirror, env, signal });
}

function configText(format: string): string {
  const version = format === "sha1" ? 0 : 1;
  const extensions = format === "sha1" ? "" : `[extensions]\n\tobjectFormat = ${format}\n`;
  return `[core]
\trepositoryFormatVersion = ${version}
\tfileMode = true
\tbare = false
\tlogAllRefUpdates = true
${extensions}[user]
\tname = Errand
\temail = errand@localhost
[gc]
\tauto = 0
`;
}
