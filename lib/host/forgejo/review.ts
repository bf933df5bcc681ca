import { z } from "zod";
import { callHost, type HostCall, nullIfUnseen } from "#lib/host/call-host.ts";
import type { HostReview } from "#lib/host/host.ts";

const Review = z.object({
  id: z.int(),
  state: z.string(),
  body: z.string().nullish(),
  user: z.object({ login: z.string() }).nullish(),
});
const Remarks = z.array(
  z.object({ path: z.string(), position: z.int().nullish(), original_position: z.int().nullish(), body: z.string() }),
);
const verdicts: Record<string, HostReview["verdict"]> = {
  APPROVED: "approved",
  REQUEST_CHANGES: "changes_requested",
  COMMENT: "commented",
};
const perPage = 50;
const pagesMax = 10;

/**
 * A person's newest review, with its remarks: Forgejo's event does not say which review it is about. `pull` is the pull request's
 * address in the API.
 */
export async function forgejoReview(call: HostCall, pull: string, login: string): Promise<HostReview | null> {
  let newest: z.output<typeof Review> | null = null;
  for (let page = 1; page <= pagesMax; page++) {
    const url = `${pull}/reviews?limit=${perPage}&page=${page}`;
    const found = (await nullIfUnseen(callHost(call, { method: "GET", url }, z.array(Review)))) ?? [];
    for (const review of found) {
      const isTheirs = review.user?.login.toLowerCase() === login.toLowerCase() && verdicts[review.state] !== undefined;
      if (isTheirs && (newest === null || review.id > newest.id)) newest = review;
    }
    if (found.length === 0) break;
  }
  if (newest === null) return null;
  const url = `${pull}/reviews/${newest.id}/comments`;
  const remarks = (await nullIfUnseen(callHost(call, { method: "GET", url }, Remarks))) ?? [];
  return {
    verdict: verdicts[newest.state] ?? null,
    body: newest.body ?? "",
    remarks: remarks.map(({ path, position, original_position, body }) => ({
      path,
      line: position || original_position || null,
      body,
    })),
  };
}
