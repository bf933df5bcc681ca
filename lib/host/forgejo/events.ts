import { z } from "zod";
import { type HostEvent, latestOf } from "#lib/host/host-event.ts";

const Text = z
  .string()
  .nullish()
  .transform((text) => text ?? "");
const Times = { created_at: z.string().nullish(), updated_at: z.string().nullish() };
const Person = z.object({ id: z.int(), login: z.string() });
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

const Issue = z.object({ action: z.literal("opened"), issue: Subject, repository: Repository });
const Pull = z.object({ action: z.literal("opened"), pull_request: Subject, repository: Repository });
const Comment = z.object({
  action: z.literal("created"),
  issue: Subject,
  is_pull: z.boolean().nullish(),
  comment: z.object({ id: z.int(), body: Text, html_url: z.string(), user: Person, ...Times }),
  repository: Repository,
});
const Review = z.object({
  action: z.literal("reviewed"),
  pull_request: Subject,
  review: z.object({ content: Text }),
  sender: Person,
  repository: Repository,
});

/**
 * The person's message in an event of Forgejo or Gitea (https://forgejo.org/docs/latest/user/webhooks/); null for other events.
 * `name` is X-Forgejo-Event or X-Gitea-Event; `delivery` identifies a review, which has no id in the event.
 */
export function readForgejoEvent(name: string, payload: unknown, delivery: string): HostEvent | null {
  if (name === "issues") {
    const event = Issue.safeParse(payload).data;
    return event === undefined ? null : opened("issue", event.issue, event.repository.full_name);
  }
  if (name === "pull_request") {
    const event = Pull.safeParse(payload).data;
    return event === undefined ? null : opened("pull", event.pull_request, event.repository.full_name);
  }
  if (name === "issue_comment" || name === "pull_request_comment") {
    const comment = Comment.safeParse(payload).data;
    if (comment !== undefined) return commented(comment);
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
  return {
    kind: subject,
    key: `comment:${comment.id}`,
    thread: { repository: repository.full_name, subject, number: issue.number, replyTo: null },
    title: issue.title,
    opening: issue.body === "" ? null : { author: issue.user?.login ?? "", body: issue.body },
    author: personOf(comment.user),
    body: comment.body,
    saidAt: latestOf(comment.created_at, comment.updated_at),
    url: comment.html_url,
    path: null,
    line: null,
    verdict: null,
    reviewId: null,
    ownOnly: false,
  };
}

function reviewed(event: z.output<typeof Review>, delivery: string): HostEvent {
  const { pull_request: pull, review, sender, repository } = event;
  return {
    kind: "review",
    key: `review:${delivery}`,
    thread: { repository: repository.full_name, subject: "pull", number: pull.number, replyTo: null },
    title: pull.title,
    opening: pull.body === "" ? null : { author: pull.user?.login ?? "", body: pull.body },
    author: personOf(sender),
    body: review.content,
    // A review has no timestamp in the event, and updates its pull request.
    saidAt: latestOf(pull.created_at, pull.updated_at),
    url: pull.html_url,
    path: null,
    line: null,
    verdict: null,
    reviewId: null,
    ownOnly: false,
  };
}

function opened(subject: "issue" | "pull", about: z.output<typeof Subject>, repository: string): HostEvent | null {
  if (about.user == null) return null;
  return {
    kind: subject,
    key: `${subject}:${repository.toLowerCase()}/${about.number}`,
    thread: { repository, subject, number: about.number, replyTo: null },
    title: about.title,
    opening: null,
    author: personOf(about.user),
    body: about.body,
    saidAt: latestOf(about.created_at, about.updated_at),
    url: about.html_url,
    path: null,
    line: null,
    verdict: null,
    reviewId: null,
    ownOnly: false,
  };
}

/** Forgejo does not mark bots; Actions use id -2, deleted users -1. */
function personOf({ id, login }: z.output<typeof Person>): HostEvent["author"] {
  return { id, login, isBot: id < 0 || /(?:\[bot\]|-bot)$/i.test(login) };
}
