import { cutText } from "#lib/cut-text.ts";
import { GitError, maskCredentials } from "./git.ts";
import { WorkspaceError } from "./workspace-error.ts";

/** Reason for a refused push: somebody else moved the branch after it was read and before the push. */
export const movedMeanwhile = "Someone else moved the branch at the same time.";

/** Messages of git, ssh and the system about a missing right to write. */
const notAllowed =
  /returned error: 4(?:0[13]|13)|Authentication failed|could not read (?:Username|Password)|denied|access rights|Read-only|insufficient permission/i;

/** git's line about a refused branch. Its end is looked at first: otherwise each bracket in it would be read to the end. */
const verdict = /^ ! \[(remote )?(?:rejected|failure)\](?=.*\)\s*$).*? \((.*)\)\s*$/m;

const charactersMax = 2000;

/**
 * Why the remote refused a push, as a sentence with the remote's own words. These may contain the credential that was sent to it.
 * Throws `source_unavailable` for failures that are not refusals, and the error itself if git did not run.
 */
export function refusalOf(error: unknown): string {
  if (!(error instanceof GitError) || error.code === "git_missing") throw error;
  const [, ofRemote, words = ""] = verdict.exec(error.stderr) ?? [];
  if (words === "stale info" || words === "fetch first" || words === "non-fast-forward") return movedMeanwhile;
  if (words === "branch is currently checked out")
    return "The branch is checked out in the repository it would be pushed to.";
  const said = saidByRemote(error.stderr);
  if (ofRemote !== undefined) {
    const shown = cutText(maskCredentials(words), charactersMax);
    return `The remote rejected the push: ${said === "" ? `${shown}.` : `${said} (${shown})`}`;
  }
  const why = error.message.replace(/^git push: /, "").replace(/\.$/, "");
  if (notAllowed.test(error.stderr)) {
    return `The remote does not let Errand push: ${said === "" ? `${why}.` : `${said} (${why})`}`;
  }
  throw new WorkspaceError("source_unavailable", `The push failed: ${why}.`, { cause: error });
}

/** Progress of git on the remote, which a host may send although it was not asked for. */
const progress = /^(?:Enumerating|Counting|Compressing|Resolving|Processing|Checking|Total|Unpacking)\b.*\d/;

/**
 * The remote's messages in one line, without frames and control characters. The remote has shown before that it serves this
 * repository, so these are no answers of another program.
 */
function saidByRemote(stderr: string): string {
  const lines = stderr
    .split(/[\r\n]+/)
    .filter((line) => line.startsWith("remote:"))
    .map((line) =>
      line
        .slice("remote:".length)
        .replace(/\p{Cc}\[[\d;]*[A-Za-z]/gu, "")
        .replace(/[\p{Cc}\p{Cf}]/gu, " ")
        .replace(/\s+/g, " ")
        .trim()
        .replace(/^(?:(?:error|fatal|ERROR): |- )+/, ""),
    )
    .filter((line) => /[\p{L}\d]/u.test(line) && !progress.test(line));
  return cutText(maskCredentials([...new Set(lines)].join(" ")), charactersMax);
}
