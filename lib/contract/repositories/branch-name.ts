/**
 * Why a branch name is not allowed, or null if it is: the rules of `git check-ref-format --branch`
 * (https://git-scm.com/docs/git-check-ref-format), at most 244 bytes so that a lock file beside the ref fits a file name.
 */
export function branchNameProblem(name: string): string | null {
  if (name === "") return "must not be empty";
  if (new TextEncoder().encode(name).length > 244) return "must have at most 244 bytes";
  if (name.startsWith("-")) return "must not begin with a dash";
  if (hasForbiddenCharacter(name)) return "must not contain spaces, control characters or any of ~ ^ : ? * [ \\";
  if (name.includes("..")) return "must not contain two dots in a row";
  if (name.includes("@{") || name === "@" || name === "HEAD") return "must not be @ or HEAD, nor contain @{";
  if (name.endsWith(".")) return "must not end with a dot";
  for (const part of name.split("/")) {
    if (part === "") return "must not begin or end with a slash, nor contain two in a row";
    if (part.startsWith(".")) return "must not have a part that begins with a dot";
    if (part.endsWith(".lock")) return "must not have a part that ends with .lock";
  }
  return null;
}

function hasForbiddenCharacter(name: string): boolean {
  for (const character of name) {
    if (character <= " " || character === "\u007f" || "~^:?*[\\".includes(character)) return true;
  }
  return !name.isWellFormed();
}
