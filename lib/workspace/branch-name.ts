import { branchNameProblem } from "#lib/contract/repositories/branch-name.ts";
import { WorkspaceError } from "./workspace-error.ts";

/** Throws WorkspaceError `branch_name_invalid` with the rule of git that the name breaks. */
export function validateBranchName(name: string): void {
  const problem = branchNameProblem(name);
  if (problem !== null) throw new WorkspaceError("branch_name_invalid", `A branch name ${problem}.`);
}
