import { z } from "zod";
import { type HostEvent, latestOf } from "#lib/host/host-event.ts";

const Text = z
  .string()
  .nullish()
  .transform((text) => text ?? "");
const Times = {
  created_at: z.string().nullish(),
  updated_at: z.string().nullish(),
  // Of a review.
  submitted_at: z.string().nullish(),
};
const Person = z.object({ id: z.int(), login: z.string(), type: z.string().nullish() });
const Repository = z.object({ full_name: z.string() });
// Null if the account was deleted.
const Subject = z.object({
  number: z.int(),
  title: Text,
  body: Text,
  html_url: z.string(),
  user: Person.nullish(),
  ...Times,
});
const Comment = z.object({ id: z.int(), body: Text, html_url: z.string(), user: Person, ...Times });

const Events = {
  issues: z.object({ action: z.literal("opened"), issue: Subject, repository: Repository }),
  issue_comment: z.object({
    action: z.literal("created"),
    issue: Subject.extend({ pull_request: z.unknown().optional() }),
    comment: Comment,
    repository: Repository,
  }),
  pull_request: z.object({ action: z.literal("opened"), pull_request: Subject, repository: Repository }),
  pull_request_review: z.object({
    action: z.literal("submitted"),
    review: Comment.extend({ state: z.string().nullish() }),
    pull_request: Subject,
    repository: Repository,
  }),
  pull_request_review_comment: z.object({
    action: z.literal("created"),
    comment: Comment.extend({
      pull_request_review_id: z.int().nullish(),
      in_reply_to_id: z.int().nullish(),
      path: z.string().nullish(),
      line: z.int().nullish(),
    }),
    pull_request: Subject,
    repository: Repository,
  }),
};

const verdicts: Record<string, HostEvent["verdict"]> = {
  approved: "approved",
  changes_requested: "changes_requested",
  commented: "commented",
};

/**
 * The person's message in an event of GitHub (https://docs.github.com/webhooks/webhook-events-and-payloads); null for other
 * events. `name` is X-GitHub-Event.
 */
export function readGithubEvent(name: string, payload: unknown): HostEvent | null {
  switch (name) {
    case "issues": {
      const event = Events.issues.safeParse(payload).data;
      return event === undefined ? null : opened("issue", event.issue, event.repository.full_name);
    }
    case "pull_request": {
      const event = Events.pull_request.safeParse(payload).data;
      return event === undefined ? null : opened("pull", event.pull_request, event.repository.full_name);
    }
    case "issue_comment": {
      const event = Events.issue_comment.safeParse(payload).data;
      if (event === undefined) return null;
      const subject = event.issue.pull_request == null ? "issue" : "pull";
      const { comment, issue, repository } = event;
      return said(comment, issue, {
        kind: subject,
        key: `issue_comment:${comment.id}`,
        thread: { repository: repository.full_name, subject, number: issue.number, replyTo: null },
      });
    }
    case "pull_request_review": {
      const event = Events.pull_request_review.safeParse(payload).data;
      if (event === undefined) return null;
      const { review, pull_request: pull, repository } = event;
      const about = said(review, pull, {
        kind: "review",
        key: `review:${review.id}`,
        thread: { repository: repository.full_name, subject: "pull", number: pull.number, replyTo: null },
      });
      return { ...about, verdict: verdicts[review.state?.toLowerCase() ?? ""] ?? null, reviewId: String(review.id) };
    }
    case "pull_request_review_comment": {
      const event = Events.pull_request_review_comment.safeParse(payload).data;
      if (event === undefined) return null;
      const { comment, pull_request: pull, repository } = event;
      // Only the first comment of a thread accepts replies.
      const replyTo = String(comment.in_reply_to_id ?? comment.id);
      const about = said(comment, pull, {
        kind: "thread",
        key: `review_comment:${comment.id}`,
        thread: { repository: repository.full_name, subject: "pull", number: pull.number, replyTo },
      });
      const reviewId = comment.pull_request_review_id == null ? null : String(comment.pull_request_review_id);
      return { ...about, path: comment.path ?? null, line: comment.line ?? null, reviewId };
    }
    default:
      return null;
  }
}

type Subject = z.output<typeof Subject>;
type Comment = z.output<typeof Comment>;

function opened(subject: "issue" | "pull", about: Subject, repository: string): HostEvent | null {
  const { number, title, body, html_url, user } = about;
  if (user == null) return null;
  return {
    kind: subject,
    key: `${subject}:${repository.toLowerCase()}/${number}`,
    thread: { repository, subject, number, replyTo: null },
    title,
    opening: null,
    author: personOf(user),
    body,
    saidAt: timeOf(about),
    url: html_url,
    path: null,
    line: null,
    verdict: null,
    reviewId: null,
    ownOnly: false,
  };
}

function said(comment: Comment, subject: Subject, where: Pick<HostEvent, "kind" | "key" | "thread">): HostEvent {
  return {
    ...where,
    title: subject.title,
    opening: subject.body === "" ? null : { author: subject.user?.login ?? "", body: subject.body },
    author: personOf(comment.user),
    body: comment.body,
    saidAt: timeOf(comment),
    url: comment.html_url,
    path: null,
    line: null,
    verdict: null,
    reviewId: null,
    ownOnly: false,
  };
}

/** A review's comment may have been written long before the review was submitted, which updates it. */
function timeOf({ created_at, updated_at, submitted_at }: Subject | Comment): string | null {
  return latestOf(created_at, updated_at, submitted_at);
}

function personOf({ id, login, type }: z.output<typeof Person>): HostEvent["author"] {
  return { id, login, isBot: type === "Bot" || login.endsWith("[bot]") };
}
