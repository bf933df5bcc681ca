import { z } from "zod";
import { callHost, type HostCall, nullIfUnseen } from "#lib/host/call-host.ts";
import type { Host, HostReview } from "#lib/host/host.ts";

const Review = z.object({
  id: z.int(),
  state: z.string(),
  body: z.string().nullish(),
  user: z.object({ login: z.string() }).nullish(),
  submitted_at: z.string().nullish(),
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
 * A person's review with this verdict and text that was the newest when it was said (`saidAt`), or else their newest, with its
 * remarks: Forgejo's event does not say which review it is about, and may be handled after a later one. `pull` is the pull
 * request's address in the API.
 */
export async function forgejoReview(
  call: HostCall,
  pull: string,
  { login, verdict, body, saidAt }: Parameters<Host["review"]>[2],
): Promise<HostReview | null> {
  const theirs: z.output<typeof Review>[] = [];
  for (let page = 1; page <= pagesMax; page++) {
    const url = `${pull}/reviews?limit=${perPage}&page=${page}`;
    const found = (await nullIfUnseen(callHost(call, { method: "GET", url }, z.array(Review)))) ?? [];
    theirs.push(
      ...found.filter(
        ({ user, state }) => user?.login.toLowerCase() === login.toLowerCase() && verdicts[state] !== undefined,
      ),
    );
    if (found.length === 0) break;
  }
  theirs.sort((one, other) => other.id - one.id);
  const alike = theirs.filter(
    ({ state, body: words }) => verdicts[state] === verdict && (words ?? "").trim() === body.trim(),
  );
  const saidMs = Date.parse(saidAt ?? "");
  const meant = alike.find(({ submitted_at }) => Date.parse(submitted_at ?? "") <= saidMs);
  const review = meant ?? alike[0] ?? theirs[0] ?? null;
  if (review === null) return null;
  const url = `${pull}/reviews/${review.id}/comments`;
  const remarks = (await nullIfUnseen(callHost(call, { method: "GET", url }, Remarks))) ?? [];
  return {
    verdict: verdicts[review.state] ?? null,
    body: review.body ?? "",
    remarks: remarks.map(({ path, position, original_position, body }) => ({
      path,
      line: position || original_position || null,
      body,
    })),
  };
}
