import assert from "node:assert/strict";
import { test } from "node:test";
import { validateBranchName } from "./branch-name.ts";
import { WorkspaceError } from "./workspace-error.ts";

test("a branch name that git would misread is refused with its rule", () => {
  assert.throws(
    () => validateBranchName("-x"),
    (error) =>
      error instanceof WorkspaceError &&
      error.code === "branch_name_invalid" &&
      error.message === "A branch name must not begin with a dash.",
  );
  validateBranchName("feature/x");
});
