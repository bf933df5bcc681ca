import { z } from "zod";
import { defineOperation, RunParams } from "#lib/contract/define-operation.ts";
import { Text } from "#lib/contract/text.ts";
import { WholeNumber } from "#lib/contract/whole-number.ts";

const turnNumberMax = 2 ** 31 - 1;
/** The longest path on Linux (PATH_MAX). */
const pathCharactersMax = 4096;

/** Query of GET diff. */
export const DiffQuery = z.object({
  binary: z
    .stringbool({ truthy: ["true", "1"], falsy: ["false", "0"] })
    .default(true)
    .describe("false leaves out the contents of binary files: shorter to read, but `git apply` does not accept it"),
  since_turn: WholeNumber(0, turnNumberMax)
    .optional()
    .describe("Only what changed after this turn ended, in the order in which turns started; 0 for everything"),
});
export type DiffQuery = z.infer<typeof DiffQuery>;

export const getDiff = defineOperation({
  id: "getDiff",
  summary: "Read a run's changes",
  description:
    "A unified diff of the run's own work: `changes.base_commit` against `changes.head_commit`. It is stored at the end of each turn, and again when a pull request's commits are checked: the bytes git writes, including binary files, so that `git apply` accepts it. Of a binary file that contains a known secret only the size is given. Empty if nothing changed. If it exceeds 20 MB (`changes.truncated`), binary files are only named, and beyond that whole files are left out at the end. With `since_turn`, it is made from the commits that turns left, without what only the base branch changed in between; a turn that has not ended gives 409, and so does one whose commit is not known or no longer there.",
  scope: "runs:read",
  tagged: true,
  params: RunParams,
  query: DiffQuery,
  result: z.string(),
});

/** Query of GET file. */
export const WorkFileQuery = z.object({
  path: Text(pathCharactersMax)
    .min(1)
    .describe("Path from the repository's root, as in the diff")
    .meta({ example: "src/date.ts" }),
  turn: WholeNumber(0, turnNumberMax)
    .optional()
    .describe("The state when this turn had ended; 0 for `changes.base_commit`. If left out: the newest"),
});
export type WorkFileQuery = z.infer<typeof WorkFileQuery>;

/** A file of a run's work. */
export const WorkFile = z.object({
  path: z.string().describe("Path from the repository's root").meta({ example: "src/date.ts" }),
  commit: z.string().describe("The commit it was read from"),
  bytes: z.int().describe("Size of the file").meta({ example: 36 }),
  encoding: z.enum(["utf-8", "base64"]).nullable().describe("How `content` is written: base64 where it is not UTF-8"),
  content: z.string().nullable().describe("Its content; null if it has more than 5 MB"),
});
z.globalRegistry.add(WorkFile, {
  example: { commit: "8f5c1a90d3b24e7f6a1c0b9d8e7f6a5b4c3d2e1f", content: "export const today = () => Date.now" },
});
export type WorkFile = z.infer<typeof WorkFile>;

export const getWorkFile = defineOperation({
  id: "getWorkFile",
  summary: "Read a file of a run's work",
  description:
    "A file as it was when a turn had ended, read from Errand's mirror of the repository. The content of a symbolic link is its target. 404 for a path that has no file there; 409 for a turn that has not ended, or whose commit is not known or no longer there.",
  scope: "runs:read",
  tagged: true,
  params: RunParams,
  query: WorkFileQuery,
  result: WorkFile,
});
