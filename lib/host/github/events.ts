import { z } from "zod";
import type { HostEvent } from "#lib/host/host-event.ts";

const Text = z
  .string()
  .nullish()
  .transform((text) => text ?? "");
const Person = z.object({ id: z.int(), login: z.string(), type: z.string().nullish() });
const Repository = z.object({ full_name: z.string() });
const Subject = z.object({ number: z.int(), title: Text, body: Text, html_url: z.string(), user: Person });

const Events = {
  issues: z.object({ action: z.literal("opened"), issue: Subject, repository: Repository }),
  issue_comment: z.object({
    action: z.literal("created"),
    issue: Subject.extend({ pull_request: z.unknown().optional() }),
    comment: z.object({ id: z.int(), body: Text, html_url: z.string(), user: Person }),
    repository: Repository,
  }),
  pull_request: z.object({ action: z.literal("opened"), pull_request: Subject, repository: Repository }),
  pull_request_review: z.object({
    action: z.literal("submitted"),
    review: z.object({ id: z.int(), body: Text, html_url: z.string(), user: Person }),
    pull_request: Subject,
    repository: Repository,
  }),
  pull_request_review_comment: z.object({
    action: z.literal("created"),
    comment: z.object({
      id: z.int(),
      in_reply_to_id: z.int().nullish(),
      body: Text,
      html_url: z.string(),
      user: Person,
      path: z.string().nullish(),
      line: z.int().nullish(),
    }),
    pull_request: Subject,
    repository: Repository,
  }),
};

/**
 * What a person said, from an event of GitHub (https://docs.github.com/webhooks/webhook-events-and-payloads); null for other
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
      return said(review, pull, {
        kind: "review",
        key: `review:${review.id}`,
        thread: { repository: repository.full_name, subject: "pull", number: pull.number, replyTo: null },
      });
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
      return { ...about, path: comment.path ?? null, line: comment.line ?? null };
    }
    default:
      return null;
  }
}

type Subject = z.output<typeof Subject>;
type Comment = { body: string; html_url: string; user: z.output<typeof Person> };

function opened(
  subject: "issue" | "pull",
  { number, title, body, html_url, user }: Subject,
  repository: string,
): HostEvent {
  return {
    kind: subject,
    key: `${subject}:${repository.toLowerCase()}/${number}`,
    thread: { repository, subject, number, replyTo: null },
    title,
    opening: null,
    author: personOf(user),
    body,
    url: html_url,
    path: null,
    line: null,
  };
}

function said(comment: Comment, subject: Subject, where: Pick<HostEvent, "kind" | "key" | "thread">): HostEvent {
  return {
    ...where,
    title: subject.title,
    opening: subject.body === "" ? null : { author: subject.user.login, body: subject.body },
    author: personOf(comment.user),
    body: comment.body,
    url: comment.html_url,
    path: null,
    line: null,
  };
}

function personOf({ id, login, type }: z.output<typeof Person>): HostEvent["author"] {
  return { id, login, isBot: type === "Bot" || login.endsWith("[bot]") };
}
