import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { GitError, type GitOptions, readGit } from "./git.ts";

/** Author of a commit; null: Errand. `key`: an OpenSSH private key that signs it, or null. */
export interface CommitIdentity {
  name: string | null;
  email: string | null;
  key: string | null;
}

/** A commit, and why it is not signed although there is a key; null if it is signed or has no key. */
export interface WrittenCommit {
  commit: string;
  unsigned: string | null;
}

/**
 * Writes a commit of a tree. While git signs, the key is a file in `folder`, which nobody else may read. A commit that cannot be
 * signed is written unsigned: no work is lost because of it.
 */
export async function commitTree(options: {
  git: GitOptions;
  folder: string;
  message: string;
  tree: string;
  parent: string | null;
  identity: CommitIdentity;
}): Promise<WrittenCommit> {
  const { git, folder, tree, parent } = options;
  const { name, email, key } = options.identity;
  const [NAME, EMAIL] = [name ?? "Errand", email ?? "errand@localhost"];
  const variables = {
    ...git.variables,
    GIT_AUTHOR_NAME: NAME,
    GIT_AUTHOR_EMAIL: EMAIL,
    GIT_COMMITTER_NAME: NAME,
    GIT_COMMITTER_EMAIL: EMAIL,
  };
  const write = (settings: string[], how: string[]) => {
    const args = [...settings, "commit-tree", ...how, ...(parent === null ? [] : ["-p", parent]), "-F", "-", tree];
    return readGit(args, { ...git, variables, stdin: `${options.message}\n` });
  };
  if (key === null) return { commit: await write([], []), unsigned: null };
  const file = join(folder, "signing-key");
  try {
    await writeFile(file, key, { mode: 0o600 });
    const settings = ["-c", "gpg.format=ssh", "-c", "gpg.ssh.program=ssh-keygen", "-c", `user.signingKey=${file}`];
    return { commit: await write(settings, ["-S"]), unsigned: null };
  } catch (error) {
    if (!(error instanceof GitError) || git.signal?.aborted === true) throw error;
    return { commit: await write([], []), unsigned: error.message };
  } finally {
    await rm(file, { force: true });
  }
}
