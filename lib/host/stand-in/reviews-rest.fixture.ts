import type { HostState } from "./host-state.fixture.ts";
import { missing, ok, pageOf, type RepositoryRequest, type RestAnswer } from "./rest.fixture.ts";

const states = {
  github: { approved: "APPROVED", changes_requested: "CHANGES_REQUESTED", commented: "COMMENTED" },
  forgejo: { approved: "APPROVED", changes_requested: "REQUEST_CHANGES", commented: "COMMENT" },
};

/** Reviews of a pull request and their remarks, as GitHub has them and Forgejo after it. Null for other addresses. */
export function reviewsRest(
  state: HostState,
  { rest, query }: RepositoryRequest,
  kind: keyof typeof states,
): RestAnswer | null {
  const [, number, id, part] = /^\/pulls\/(\d+)\/reviews(?:\/(\d+)(\/comments)?)?$/.exec(rest) ?? [];
  if (number === undefined) return null;
  const all = state.reviews.filter((review) => review.number === Number(number));
  const presented = ({ id: reviewId, verdict, body, login, submittedAt }: (typeof all)[number]) => ({
    id: reviewId,
    state: states[kind][verdict],
    body,
    user: { login },
    submitted_at: submittedAt,
  });
  if (id === undefined) {
    const size = { name: kind === "github" ? "per_page" : "limit", usual: 30, most: kind === "github" ? 100 : 50 };
    return ok(pageOf(all, query, size).items.map(presented));
  }
  const review = all.find((one) => one.id === Number(id));
  if (review === undefined) return missing;
  if (part === undefined) return ok(presented(review));
  return ok(
    review.threads.map(({ path, line, body }, place) => ({
      id: review.id + 1 + place,
      path,
      ...(kind === "github" ? { line, original_line: line } : { position: line, original_position: 0 }),
      body,
    })),
  );
}
