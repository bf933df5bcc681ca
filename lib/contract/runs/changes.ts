import { z } from "zod";

/** Size of the run's changes, and what was compared. */
export const Changes = z.object({
  files: z.int().describe("Changed files").meta({ example: 2 }),
  insertions: z.int().describe("Added lines").meta({ example: 14 }),
  deletions: z.int().describe("Removed lines").meta({ example: 3 }),
  truncated: z.boolean().describe("Whether the stored diff was cut because it was too large").meta({ example: false }),
  base_commit: z
    .string()
    .nullable()
    .default(null)
    .describe("The commit the changes are compared with; null: an empty folder, or not recorded by an older version")
    .meta({ example: "9fceb02d0ae598e95dc970b74767f19372d61af8" }),
  head_commit: z
    .string()
    .nullable()
    .default(null)
    .describe("The commit that has the changes; null: the branch has none, or not recorded by an older version")
    .meta({ example: "8f5c1a90d3b24e7f6a1c0b9d8e7f6a5b4c3d2e1f" }),
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
    .describe("Whether the base branch already had the same changes in other commits, as after a squash merge")
    .meta({ example: false }),
});
z.globalRegistry.add(Changes, { id: "Changes" });
export type Changes = z.infer<typeof Changes>;
/** Changes to be stored; what is left out is not known. */
export type NewChanges = z.input<typeof Changes>;
