import { z } from "zod";
import { EventRepository } from "#lib/host/host-change.ts";
import type { HostEvent } from "#lib/host/host-event.ts";
import { EventComment, type EventPerson, EventSubject, openedEvent, saidEvent } from "#lib/host/issue-events.ts";

const Comment = z.object({
  action: z.literal("created"),
  issue: EventSubject.extend({ pull_request: z.unknown().optional() }),
  comment: EventComment,
  repository: EventRepository,
});
const Review = z.object({
  action: z.literal("submitted"),
  review: EventComment.extend({ state: z.string().nullish() }),
  pull_request: EventSubject,
  repository: EventRepository,
});
const Remark = z.object({
  action: z.literal("created"),
  comment: EventComment.extend({
    pull_request_review_id: z.int().nullish(),
    in_reply_to_id: z.int().nullish(),
    path: z.string().nullish(),
    line: z.int().nullish(),
  }),
  pull_request: EventSubject,
  repository: EventRepository,
});

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
    case "issues":
      return openedEvent("issue", payload, isBot);
    case "pull_request":
      return openedEvent("pull", payload, isBot);
    case "issue_comment": {
      const event = Comment.safeParse(payload).data;
      if (event === undefined) return null;
      const { comment, issue, repository } = event;
      const subject = issue.pull_request == null ? "issue" : "pull";
      const thread = { repository: repository.full_name, subject, number: issue.number, replyTo: null } as const;
      return saidEvent(comment, issue, { kind: subject, key: `issue_comment:${comment.id}`, thread }, isBot);
    }
    case "pull_request_review": {
      const event = Review.safeParse(payload).data;
      if (event === undefined) return null;
      const { review, pull_request: pull, repository } = event;
      const thread = { repository: repository.full_name, subject: "pull", number: pull.number, replyTo: null } as const;
      const said = saidEvent(review, pull, { kind: "review", key: `review:${review.id}`, thread }, isBot);
      return { ...said, verdict: verdicts[review.state?.toLowerCase() ?? ""] ?? null, reviewId: String(review.id) };
    }
    case "pull_request_review_comment": {
      const event = Remark.safeParse(payload).data;
      if (event === undefined) return null;
      const { comment, pull_request: pull, repository } = event;
      // Only the first comment of a thread accepts replies.
      const replyTo = String(comment.in_reply_to_id ?? comment.id);
      const thread = { repository: repository.full_name, subject: "pull", number: pull.number, replyTo } as const;
      const said = saidEvent(comment, pull, { kind: "thread", key: `review_comment:${comment.id}`, thread }, isBot);
      const reviewId = comment.pull_request_review_id == null ? null : String(comment.pull_request_review_id);
      return { ...said, path: comment.path ?? null, line: comment.line ?? null, reviewId };
    }
    default:
      return null;
  }
}

const isBot = ({ login, type }: z.output<typeof EventPerson>) => type === "Bot" || login.endsWith("[bot]");
