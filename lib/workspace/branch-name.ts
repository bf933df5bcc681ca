import { WorkspaceError } from "./workspace-error.ts";

/** Most bytes of a branch name: a lock file beside it must fit the 255 bytes of a file name. */
export const branchNameBytesMax = 244;

/**
 * The rule that the name breaks as a sentence, or null for a name that git takes for a branch (git-check-ref-format(1)
 * plus: no leading "-", not HEAD). Runs no git.
 */
export function findBranchNameProblem(name: string): string | null {
  if (name === "") return "A branch name must not be empty.";
  if (!name.isWellFormed()) return "A branch name must be well-formed Unicode.";
  if (new TextEncoder().encode(name).length > branchNameBytesMax) {
    return `A branch name must be at most ${branchNameBytesMax} bytes long.`;
  }
  if (name.startsWith("-")) return 'A branch name must not begin with "-".';
  if (name === "@" || name === "HEAD") return `A branch must not be called "${name}".`;
  if ([...name].some((character) => character < " " || character === "\u007f")) {
    return "A branch name must not contain control characters.";
  }
  const forbidden = [" ", "~", "^", ":", "?", "*", "[", "\\", "..", "@{", "//"].find((part) => name.includes(part));
  if (forbidden === " ") return "A branch name must not contain spaces.";
  if (forbidden !== undefined) return `A branch name must not contain "${forbidden}".`;
  if (name.startsWith("/") || name.endsWith("/")) return 'A branch name must not begin or end with "/".';
  if (name.endsWith(".")) return 'A branch name must not end with ".".';
  const parts = name.split("/");
  if (parts.some((part) => part.startsWith("."))) return 'No part of a branch name may begin with ".".';
  if (parts.some((part) => part.endsWith(".lock"))) return 'No part of a branch name may end with ".lock".';
  return null;
}

/** Throws WorkspaceError `branch_name_invalid`, whose message names the broken rule. */
export function validateBranchName(name: string): void {
  const problem = findBranchNameProblem(name);
  if (problem !== null) throw new WorkspaceError("branch_name_invalid", problem);
}
