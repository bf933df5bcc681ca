import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { replaceFile } from "./agent-head.ts";
import { type GitContext, readGit } from "./git.ts";
import { listRefs } from "./mirror.ts";
import { packedRefs } from "./served-mirror.ts";
import { linkObjects } from "./shared-objects.ts";

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
  /** References of the mirror that were just listed; those of the source count. */
  refs?: ReadonlyMap<string, string> | undefined;
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
  const listed = options.refs ?? (await listRefs(mirror, ofSource, { env, signal }));
  for (const folder of ["info", "objects/info", "objects/pack", "refs/heads"]) {
    await mkdir(join(git, folder), { recursive: true });
  }
  await linkObjects({ path, mirror }, signal);
  // The commits whose parents the source does not have.
  await copyFile(join(mirror, "shallow"), join(git, "shallow")).catch(unlessMissing);
  await writeFile(join(git, "config"), configText(format));
  await writeFile(
    join(git, "packed-refs"),
    packedRefs(new Map([...listed].filter(([name]) => ofSource.some((folder) => name.startsWith(folder))))),
    "latin1",
  );
  await writeFile(join(git, "HEAD"), `ref: refs/heads/${branch}\n`);
  if (commit !== null) await replaceFile(join(git, "refs/heads", branch), `${commit}\n`);
  // Git stores a branch as a file, so `errand` cannot exist beside `errand/run-1`.
  const clash =
    base !== null && (`${base.branch}/`.startsWith(`${branch}/`) || `${branch}/`.startsWith(`${base.branch}/`));
  if (base !== null && !clash) await replaceFile(join(git, "refs/heads", base.branch), `${base.commit}\n`);
}

const ofSource = ["refs/remotes/origin/", "refs/tags/"];

function unlessMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== "ENOENT") throw error;
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
