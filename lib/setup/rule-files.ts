import type { Environment } from "#lib/workspace/environment.ts";
import { GitError, readGit } from "#lib/workspace/git.ts";

/**
 * Where repositories keep rules for agents, as git pathspecs: the names that Codex, Claude Code, Gemini, Cursor, Windsurf,
 * Cline and Copilot read.
 */
const rulePlaces = [
  "AGENTS.md",
  "AGENT.md",
  "CLAUDE.md",
  "GEMINI.md",
  ".cursorrules",
  ".cursor/rules",
  ".windsurfrules",
  ".windsurf/rules",
  ".clinerules",
  ".github/copilot-instructions.md",
  ".github/instructions",
];

const plainName = /^[\w./ @+-]{1,200}$/;

/**
 * Rule files of a commit, in order of their paths; none if the revision is not a commit. Only names are read; those with
 * ambiguous characters are left out.
 */
export async function findRuleFiles(place: {
  gitDir: string;
  revision: string;
  env: Environment;
  signal: AbortSignal;
}): Promise<string[]> {
  const git = { cwd: place.gitDir, env: place.env, signal: place.signal, variables: { GIT_DIR: place.gitDir } };
  try {
    const list = await readGit(
      ["ls-tree", "-r", "-z", "--full-tree", "--name-only", place.revision, "--", ...rulePlaces],
      git,
    );
    return list.split("\0").filter((name) => plainName.test(name));
  } catch (error) {
    if (place.signal.aborted || !(error instanceof GitError)) throw error;
    return [];
  }
}
