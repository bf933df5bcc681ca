import { hash } from "node:crypto";
import type { NewEntry } from "#lib/contract/logs/entry.ts";
import type { TurnRow } from "#lib/store/store.ts";
import { innerBytesMax, innerFilesMax } from "#lib/workspace/inner-repositories.ts";
import { keptFileBytesMax, type LeftOut, misencodedMax } from "#lib/workspace/left-out.ts";

const blank = { thought: null, tool_name: null, tool_input: null, tool_output: null, observation: null };

/** An ERROR entry by the engine itself: `code` for programs, `message` for people, with what to do next. */
export function errorEntry(code: string, message: string, data?: Record<string, unknown>): NewEntry {
  return {
    ...blank,
    created_at: new Date().toISOString(),
    message_type: "ERROR",
    observation: { code, message, ...(data === undefined ? {} : { data }) },
  };
}

const namedMax = 20;
const pathMax = 200;
const megabytes = (bytes: number) => `${Math.round(bytes / 1024 / 1024).toLocaleString("en-US")} MB`;

const reasons: Record<LeftOut["why"], string> = {
  too_large: "too large",
  long: "its path is too long",
  refused: "git rejects it",
  unchecked: "encoding not checked",
  unread: "a folder that git cannot read",
  hidden: "git was told to ignore its changes",
  ignored: "ignored by git",
  rules: "too large for git to read, so it was renamed",
  remote: "a copy of another repository",
  large: `a repository with more than ${innerFilesMax.toLocaleString("en-US")} files or ${megabytes(innerBytesMax)}, or one beyond the first 100`,
  elsewhere: "a folder whose `.git` is a file, such as one that points to a repository elsewhere",
  worktree: "a worktree",
  submodule: "a submodule with changes or commits of its own",
  link: "a link to a commit of a repository that `.gitmodules` does not name, so nobody can fetch it",
  history: "a repository of its own: only its files are in the branch, not its commits",
  branch: "a branch with commits of its own",
  ref: "a reference to commits of its own",
  stash: "stashed changes",
  detached: "a commit on no branch",
  conflict: "in conflict; it is in the branch as it was",
  unfinished: "not finished: its files are in the branch as they were, with any conflict markers",
};

const shortPath = (path: string) => (path.length > pathMax ? `${path.slice(0, pathMax)}…` : path);

function named(leftOut: readonly LeftOut[]): string {
  const reason = ({ why, bytes }: LeftOut) => `${bytes === null ? "" : `${megabytes(bytes)}, `}${reasons[why]}`;
  return listed(leftOut.map((work) => `\`${shortPath(work.path)}\` (${reason(work)})`));
}

function listed(items: string[]): string {
  const more = items.length > namedMax ? [`${items.length - namedMax} more`] : [];
  return [...items.slice(0, namedMax), ...more].join(", ");
}

const remedy =
  "To keep this work, resume the run and ask the agent to put it on the run's branch, or to push it elsewhere. Otherwise it is deleted with the checkout.";

/** Names the work that is in neither branch nor diff as it is now, and why. */
export function leftOutEntry(leftOut: readonly LeftOut[]): NewEntry {
  const bounds = [
    ...(leftOut.some(({ why }) => why === "too_large")
      ? [`A file may be at most ${megabytes(keptFileBytesMax)}, and all changed files of a turn 1,024 MB in total.`]
      : []),
    ...(leftOut.some(({ why }) => why === "unchecked") ? [uncheckedWords] : []),
  ];
  const what = "Not in the branch, or not as it is in the checkout";
  const saved = "All other changes were saved, apart from files that git ignores, and pipes and sockets.";
  const message = [`${what}: ${named(leftOut)}.`, ...bounds, saved, remedy].join(" ");
  // The names in the message may be cut, or masked.
  const fingerprint = hash("sha256", JSON.stringify(leftOut));
  return errorEntry("work_left_out", message, { fingerprint });
}

/** Says that a run's checkout is gone, with work that was in no branch. */
export function checkoutRemovedEntry(): NewEntry {
  const message =
    "The checkout of this run was removed because of its age, with the work in it that its branch does not contain: what `work_left_out` above names, or what a turn that was cut off had changed. The branch stays.";
  return errorEntry("left_out_work_removed", message);
}

/** Names the work that went with a checkout which could not be moved to the commits of others. */
export function checkoutRemadeEntry(lost: readonly LeftOut[]): NewEntry {
  const message = `Others pushed to the run's branch. The checkout could not be moved to their commits and was created again. Lost: ${named(lost)}.`;
  return errorEntry("left_out_work_removed", message);
}

const uncheckedWords = `Changed files with the attribute working-tree-encoding (.gitattributes) are left out if the attribute has no value, or if more than ${misencodedMax} of them, or one whose name is not UTF-8, do not have this encoding.`;

/** Names the files that are in the branch as they are, although Git LFS should have them. */
export function plainLfsEntry(paths: readonly string[]): NewEntry {
  const named = listed(paths.map((path) => `\`${path}\``));
  const message = `Committed as plain files, although .gitattributes tracks them with Git LFS, which Errand does not run: ${named}. \`git lfs migrate import --no-rewrite\` turns them into pointers.`;
  return errorEntry("lfs_not_used", message);
}

/** The person's message of a turn that never reached an agent. */
export function userMessageEntry({
  number,
  prompt,
  attachments = [],
}: Pick<TurnRow, "number" | "prompt" | "attachments">): NewEntry {
  return {
    ...blank,
    created_at: new Date().toISOString(),
    message_type: "USER_MESSAGE",
    tool_input: { turn: number, ...(attachments.length > 0 ? { attachments } : {}) },
    observation: prompt,
  };
}

/**
 * The entries with times that never run backwards: an agent's failed start is older than the message that is written after it.
 */
export function inTime(entries: NewEntry[]): NewEntry[] {
  let latest = "";
  return entries.map((entry) => {
    if (entry.created_at > latest) latest = entry.created_at;
    return { ...entry, created_at: latest };
  });
}

/** Entry that records that a person ended the turn. */
export function interruptionEntry(message: string): NewEntry {
  return {
    ...blank,
    created_at: new Date().toISOString(),
    message_type: "USER_MESSAGE",
    observation: { kind: "interruption", message },
  };
}

/** End of a turn cut short because the service stops. */
export function stoppedEntry(): NewEntry {
  return errorEntry("interrupted", "Errand was stopped while this turn was in progress. Resume the run to continue.");
}

/** True for the entry that {@link interruptionEntry} and the drivers write. */
export function isInterruption(entry: NewEntry): boolean {
  return (
    entry.message_type === "USER_MESSAGE" &&
    typeof entry.observation === "object" &&
    entry.observation !== null &&
    entry.observation.kind === "interruption"
  );
}
