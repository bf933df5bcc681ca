import { z } from "zod";
import { EventRepository } from "#lib/host/host-change.ts";
import { type HostEvent, Text } from "#lib/host/host-event.ts";
import { EventComment, EventPerson, EventSubject, openedEvent, saidEvent } from "#lib/host/issue-events.ts";

const Comment = z.object({
  action: z.literal("created"),
  issue: EventSubject,
  is_pull: z.boolean().nullish(),
  comment: EventComment,
  repository: EventRepository,
});
const Review = z.object({
  action: z.literal("reviewed"),
  pull_request: EventSubject,
  review: z.object({ content: Text }),
  sender: EventPerson,
  repository: EventRepository,
});

/**
 * The person's message in an event of Forgejo or Gitea (https://forgejo.org/docs/latest/user/webhooks/); null for other events.
 * `name` is X-Forgejo-Event or X-Gitea-Event; `delivery` identifies a review, which has no id in the event.
 */
export function readForgejoEvent(name: string, payload: unknown, delivery: string): HostEvent | null {
  if (name === "issues") return openedEvent("issue", payload, isBot);
  if (name === "pull_request") return openedEvent("pull", payload, isBot);
  if (name === "issue_comment" || name === "pull_request_comment") {
    const event = Comment.safeParse(payload).data;
    if (event !== undefined) return commented(event);
  }
  if (/^pull_request_(?:review_)?(?:approved|rejected|comment)$/.test(name)) {
    const event = Review.safeParse(payload).data;
    return event === undefined ? null : { ...reviewed(event, delivery), verdict: verdictOf(name) };
  }
  return null;
}

/** Only the event's name contains the verdict. */
function verdictOf(name: string): HostEvent["verdict"] {
  if (name.endsWith("_approved")) return "approved";
  return name.endsWith("_rejected") ? "changes_requested" : "commented";
}

function commented({ comment, issue, is_pull, repository }: z.output<typeof Comment>): HostEvent {
  const subject = is_pull === true ? "pull" : "issue";
  const thread = { repository: repository.full_name, subject, number: issue.number, replyTo: null } as const;
  return saidEvent(comment, issue, { kind: subject, key: `comment:${comment.id}`, thread }, isBot);
}

function reviewed(event: z.output<typeof Review>, delivery: string): HostEvent {
  const { pull_request: pull, review, sender, repository } = event;
  const thread = { repository: repository.full_name, subject: "pull", number: pull.number, replyTo: null } as const;
  // A review has no timestamp in the event, and updates its pull request.
  const said = { ...pull, user: sender, body: review.content };
  return saidEvent(said, pull, { kind: "review", key: `review:${delivery}`, thread }, isBot);
}

/** Forgejo does not mark bots; Actions use id -2, deleted users -1. */
const isBot = ({ id, login }: z.output<typeof EventPerson>) => id < 0 || /(?:\[bot\]|-bot)$/i.test(login);
