import { z } from "zod";

/**
 * An event on a host about a pull request, a commit or a branch. It only says where to look: the current state is read from the
 * host, so an event that comes late, twice or out of order does no harm.
 */
export type HostChange = {
  repository: string;
  number: number | null;
  commit: string | null;
  branch: string | null;
};

/** A repository in events of GitHub and Forgejo. */
export const EventRepository = z.object({ full_name: z.string() });
/** An event of a branch: https://docs.github.com/webhooks/webhook-events-and-payloads#push; Forgejo's and GitLab's have it as well. */
export const EventRef = z.string().regex(/^refs\/heads\/./);

/** The change in an event; null if it names no place to look at. */
export function hostChangeOf(
  repository: string,
  place: { number?: number | null | undefined; commit?: string | null | undefined; branch?: string | null | undefined },
): HostChange | null {
  const { number = null, commit = null, branch = null } = place;
  return number === null && commit === null && branch === null ? null : { repository, number, commit, branch };
}

/** The branch of a full name (`refs/heads/x`). */
export const branchOfRef = (ref: string) => ref.replace(/^refs\/heads\//, "");
