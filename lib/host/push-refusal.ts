import { cutText } from "#lib/cut-text.ts";
import { type GitAuthorization, isUnauthorized } from "./git-authorization.ts";
import { maskSent } from "./mask-sent.ts";

/** Kind of a refused push: `protected`: a rule of the repository; `scope`: a right that the credential lacks. */
export type PushRefusalCode = "protected" | "scope" | "unauthorized" | "push_refused";

/** A refused push as it may be shown. `hint`: what to do about it. */
export type PushRefusal = { code: PushRefusalCode; message: string; hint: string };

const rule =
  "A rule on the code host, such as branch protection, refused it. Change the rule, or make it allow the branches errand/run-….";
const rights =
  "The integration's token or App needs permission to write the repository's contents, and its workflows if the work changes them.";
const unknown = "The run's commits are kept in Errand. Remove the cause in the remote repository, then try again.";

/** By the words of hosts and of git, the more exact ones first; a bare `hook declined` is a rule whose words the host keeps to itself. */
const kinds: [PushRefusalCode, RegExp, string][] = [
  [
    "push_refused",
    /commits that this run did not make|moved the branch at the same time/,
    "To go on from the commits there, start a run from that branch. To keep only this run's, rename or delete that branch, then try again.",
  ],
  ["push_refused", /^The branch is checked out/, "Check out another branch there, then try again."],
  [
    "push_refused",
    /cannot lock ref '.{1,300}' exists; cannot create/,
    "A branch there has a name that begins this one's, such as errand. Rename or delete it, then try again.",
  ],
  [
    "push_refused",
    /GH001|exceeds? (?:GitHub's file size limit|the .{1,30} limit)|larger than the allowed size|maximum allowed size|\b413\b/i,
    "A file is too large for the remote. Let the agent take it out of all its commits, then try again.",
  ],
  [
    "push_refused",
    /GH008|LFS objects? (?:are|is) missing|unknown Git LFS object/i,
    "The commits have Git LFS pointers whose files the host lacks, and Errand pushes no LFS files. Push them with `git lfs push`, then try again.",
  ],
  [
    "push_refused",
    /GH007|verified emails?\b|email .{1,300} (?:follow the pattern|not verified)/i,
    "The host does not accept the email address in the commits. Set the commit email in the repository's pull request settings, and let a new run make them.",
  ],
  [
    "protected",
    /verified signatures|must be signed|unsigned commits?/i,
    "The host asks for signed commits. Turn on signing in the repository's pull request settings, and let a new run make them.",
  ],
  [
    "protected",
    /cannot contain secrets|secrets? detected/i,
    "The host found a key in the commits. Let the agent take it out of all its commits, or allow it on the host.",
  ],
  [
    "push_refused",
    /shallow update not allowed/i,
    "The repository's source is a shallow clone. Run `git fetch --unshallow` there, then try again.",
  ],
  ["push_refused", /archived/i, "The repository is archived. Unarchive it on the code host, then try again."],
  [
    "scope",
    /SAML|single sign-on|\bSSO\b/i,
    "The organization on the code host uses single sign-on. Authorize the integration's token for it there.",
  ],
  [
    "scope",
    /without .?workflows?.? (?:scope|permission)|not allowed to push code to this project|permission denied for writing|required scope|insufficient|let Errand push/i,
    rights,
  ],
  ["protected", /protected|protection|rule violations|\bGH0\d\d\b|follow the pattern|push rule|hook declined/i, rule],
];

const messageMax = 500;

/**
 * A refused push, from its reason in the words of the host (lib/workspace/push-refusal.ts): GitHub's, GitLab's and Forgejo's are
 * known. `authorization`: what was sent, or null; without it, nothing is said about an integration's rights.
 */
export function pushRefusal(
  reason: string,
  { authorization, mask }: { authorization: GitAuthorization | null; mask(text: string): string },
): PushRefusal {
  const masked = mask(authorization === null ? reason : maskSent(reason, { authorization: authorization.header }));
  const message = cutText(masked, messageMax, "…");
  const isRefused = isUnauthorized(reason);
  if (authorization !== null && isRefused) return { code: "unauthorized", message, hint: authorization.hint };
  const [code, , hint] = kinds.find(([, words]) => words.test(reason)) ?? ["push_refused" as const, null, unknown];
  if (authorization !== null || (hint !== rights && !isRefused)) return { code, message, hint };
  const own = "The key or password that git uses for this address on Errand's server needs permission to write there.";
  return { code: "push_refused", message, hint: own };
}
