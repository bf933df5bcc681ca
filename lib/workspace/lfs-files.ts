import { GitError, type GitOptions, listGit, runGit, unlessFailed } from "./git.ts";

/** Number of files examined at most: their names are arguments of one command. */
const examinedMax = 1000;

/** Ids of the empty file, in both object formats: Git LFS keeps it as it is. */
const emptyFiles = new Set([
  "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391",
  "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813",
]);

/** Whether a .gitattributes of a revision gives files to Git LFS; false if the revision is not a commit. */
export async function usesLfs(revision: string, options: GitOptions): Promise<boolean> {
  const grep = ["grep", "--quiet", "-w", "-e", "filter=lfs", revision, "--", ":(glob)**/.gitattributes"];
  return (await runGit(grep, options).catch(unlessFailed)) !== null;
}

/**
 * Files that differ between two commits or trees, that .gitattributes gives to Git LFS, and that are plain files in `to` instead of
 * LFS pointers. The attributes are those in the working tree of `options`. Empty if git cannot say.
 */
export async function listPlainLfsFiles(from: string, to: string, options: GitOptions): Promise<string[]> {
  try {
    const range = ["--no-renames", "--diff-filter=AMT", from, to];
    // Two parts for each file: modes and ids, path. One character per byte: names need not be UTF-8.
    const records = await listGit(["diff-tree", "-r", "-z", "--raw", "--no-abbrev", ...range], options);
    const isEmpty = (record = "") => emptyFiles.has(record.split(" ")[3] ?? "");
    const paths = records.filter((_, at) => at % 2 === 1 && !isEmpty(records[at - 1]));
    if (paths.length === 0) return [];
    const stdin = Buffer.from(paths.join("\0"), "latin1");
    // Three parts for each file: path, attribute, value.
    const parts = await listGit(["check-attr", "-z", "--stdin", "filter"], { ...options, stdin }, "utf8");
    const ofLfs = parts.filter((_, at) => at % 3 === 0 && parts[at + 2] === "lfs").slice(0, examinedMax);
    if (ofLfs.length === 0) return [];
    const pointer = ["-e", "^version https://git-lfs\\.github\\.com/spec/"];
    const grep = ["grep", "-z", "--text", "--files-without-match", ...pointer, to, "--"];
    const names = await listGit([...grep, ...ofLfs.map((path) => `:(top,literal)${path}`)], options, "utf8");
    return names.map((name) => name.slice(to.length + 1));
  } catch (error) {
    if (error instanceof GitError) return [];
    throw error;
  }
}
