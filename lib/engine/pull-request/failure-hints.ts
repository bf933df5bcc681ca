import type { HostError } from "#lib/host/call-host.ts";

/** What to do about a failure, by its code. */
export const failureHints: Record<string, string> = {
  no_commits: "The branch has nothing that the base branch lacks.",
  no_branch: "The base branch is not there: choose another one in the repository's settings.",
  protected: "A rule of the repository refuses it. Change the rule, or the base branch.",
  scope: "The integration's token or App needs the rights to read and write contents and pull requests.",
  repository_not_found: "The integration's token or App needs the rights to read and write contents and pull requests.",
  unauthorized: "Enter a new token under Integrations.",
};

/** Code of a host's refusal; null if nothing more is known than its words. */
export function failureCodeOf({ reason, status }: HostError): string | null {
  if (reason !== null) return reason;
  if (status === 401) return "unauthorized";
  return status === 404 ? "repository_not_found" : null;
}
