import { z } from "zod";
import { callHost, type HostCall, nullIfUnseen } from "#lib/host/call-host.ts";
import type { HostReview } from "#lib/host/host.ts";

const Review = z.object({ id: z.int(), state: z.string(), body: z.string().nullish() });
const Remarks = z.array(
  z.object({
    path: z.string(),
    line: z.int().nullish(),
    // Of a line that has changed since then.
    original_line: z.int().nullish(),
    body: z.string().nullish(),
  }),
);
const verdicts: Record<string, HostReview["verdict"]> = {
  APPROVED: "approved",
  CHANGES_REQUESTED: "changes_requested",
  COMMENTED: "commented",
};

/** The schemas of GitHub's responses; documented/shapes.ts compares them with GitHub's documentation. */
export const reviewAnswers = { Review, Remarks };

/** A review with its first 100 remarks (https://docs.github.com/rest/pulls/reviews). `pull` is its address in the API. */
export async function githubReview(call: HostCall, pull: string, id: string): Promise<HostReview | null> {
  const url = `${pull}/reviews/${encodeURIComponent(id)}`;
  const review = await nullIfUnseen(callHost(call, { method: "GET", url }, Review));
  if (review === null) return null;
  const list = { method: "GET", url: `${url}/comments?per_page=100` } as const;
  const remarks = (await nullIfUnseen(callHost(call, list, Remarks))) ?? [];
  return {
    verdict: verdicts[review.state.toUpperCase()] ?? null,
    body: review.body ?? "",
    remarks: remarks.map(({ path, line, original_line, body }) => ({
      path,
      line: line ?? original_line ?? null,
      body: body ?? "",
    })),
  };
}
