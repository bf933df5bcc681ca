import { z } from "zod";
import type { HostPull } from "./host.ts";

/** A pull request in GitHub's API, and in Forgejo's, which follows it. `repo` is null if the fork is gone. */
export const PullRequest = z.object({
  state: z.string(),
  head: z.object({ ref: z.string(), repo: z.object({ full_name: z.string() }).nullish() }),
  base: z.object({ ref: z.string() }),
});

/** The part that the service needs. `repository` is the one in which it was looked up. */
export function pullOf({ state, head, base }: z.output<typeof PullRequest>, repository: string): HostPull {
  const isOwn = head.repo?.full_name.toLowerCase() === repository.toLowerCase();
  return { isOpen: state === "open", head: { branch: head.ref, isOwn, isGone: false }, baseBranch: base.ref };
}
