import { z } from "zod";

/** Size of the run's changes, and what was compared. */
export const Changes = z.object({
  files: z.int().describe("Changed files"),
  insertions: z.int().describe("Added lines"),
  deletions: z.int().describe("Removed lines"),
  truncated: z.boolean().describe("Whether the stored diff was cut because it was too large"),
  base_commit: z
    .string()
    .nullable()
    .default(null)
    .describe("The commit the changes are compared with; null: an empty folder, or not recorded by an older version"),
  head_commit: z
    .string()
    .nullable()
    .default(null)
    .describe("The commit that has the changes; null: the branch has none, or not recorded by an older version"),
  compared_with: z
    .enum(["merge_base", "recorded"])
    .nullable()
    .default(null)
    .describe(
      "What `base_commit` is: the merge base of branch and base branch; or `recorded`: where the run began or was last compared, because the base branch no longer contains it; null: not recorded by an older version",
    ),
  in_base_branch: z
    .boolean()
    .default(false)
    .describe("Whether the base branch already had the same changes in other commits, as after a squash merge"),
});
export type Changes = z.infer<typeof Changes>;
/** Changes to be stored; what is left out is not known. */
export type NewChanges = z.input<typeof Changes>;
