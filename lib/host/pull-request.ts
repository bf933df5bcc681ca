import { z } from "zod";
import type { HostPull } from "./host.ts";

/** A pull request as GitHub's API gives it, and Forgejo's after it. `repo` is null where the fork is gone. */
export const PullRequest = z.object({
  state: z.string(),
  head: z.object({ ref: z.string(), repo: z.object({ full_name: z.string() }).nullish() }),
  base: z.object({ ref: z.string() }),
});

/** What the service needs of it. `repository` is the one that it was asked of. */
export function pullOf({ state, head, base }: z.output<typeof PullRequest>, repository: string): HostPull {
  const isOwn = head.repo?.full_name.toLowerCase() === repository.toLowerCase();
  return { isOpen: state === "open", head: { branch: head.ref, isOwn }, baseBranch: base.ref };
}
