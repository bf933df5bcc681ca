import { HostError } from "#lib/host/call-host.ts";

/** What to do about a failure, by its code. */
export const failureHints: Record<string, string> = {
  no_commits: "The branch has no commits that are not already in the base branch.",
  no_head: "The run's branch is not on the code host. Request the pull request again: Errand pushes it first.",
  no_branch: "The base branch does not exist. Choose another one in the repository's settings.",
  protected:
    "A rule on the code host, such as branch protection, refused it. Change the rule, or choose another base branch.",
  scope: "The integration's token or App needs permission to read and write contents and pull requests.",
  repository_not_found: "The integration's token or App needs permission to read and write contents and pull requests.",
  repository_moved: "The code host has it at another address now. Add the repository again with that address.",
  unauthorized: "Enter a new token under Integrations.",
};

/** What to do about a failure of this code: what the host's error says, or what is known of the code. */
export function hintOf(error: unknown, code: string): string | null {
  return (error instanceof HostError ? error.hint : null) ?? failureHints[code] ?? null;
}

/** Code of a host's refusal; null if nothing more is known than its words. */
export function failureCodeOf({ reason, status }: HostError): string | null {
  if (reason !== null) return reason;
  if (status === 401) return "unauthorized";
  if (status !== null && status >= 300 && status < 400) return "repository_moved";
  return status === 404 ? "repository_not_found" : null;
}
