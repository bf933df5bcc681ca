import { z } from "zod";
import { EventRepository } from "./host-change.ts";
import { type HostEvent, hostEvent, latestOf, Text, Times } from "./host-event.ts";

/** A person in events of GitHub, and of Forgejo and Gitea, which follow it. */
export const EventPerson = z.object({ id: z.int(), login: z.string(), type: z.string().nullish() });
type EventPerson = z.output<typeof EventPerson>;

/** An issue or pull request. `user` is null if the account was deleted. */
export const EventSubject = z.object({
  number: z.int(),
  title: Text,
  body: Text,
  html_url: z.string(),
  user: EventPerson.nullish(),
  ...Times,
});
type EventSubject = z.output<typeof EventSubject>;

/** A comment, or a review. */
export const EventComment = z.object({ id: z.int(), body: Text, html_url: z.string(), user: EventPerson, ...Times });
type EventComment = z.output<typeof EventComment>;

const Opened = z.object({
  action: z.literal("opened"),
  issue: EventSubject.optional(),
  pull_request: EventSubject.optional(),
  repository: EventRepository,
});

/** The description of an issue or pull request in the event of its opening; null for other events. */
export function openedEvent(
  subject: "issue" | "pull",
  payload: unknown,
  isBot: (person: EventPerson) => boolean,
): HostEvent | null {
  const event = Opened.safeParse(payload).data;
  const about = subject === "issue" ? event?.issue : event?.pull_request;
  if (event === undefined || about?.user == null) return null;
  const { user, number, title, body, html_url } = about;
  const repository = event.repository.full_name;
  return hostEvent({
    kind: subject,
    key: `${subject}:${repository.toLowerCase()}/${number}`,
    thread: { repository, subject, number, replyTo: null },
    title,
    opening: null,
    author: { id: user.id, login: user.login, isBot: isBot(user) },
    body,
    saidAt: timeOf(about),
    url: html_url,
  });
}

/** What was said below an issue or pull request. */
export function saidEvent(
  { user, body, html_url, ...times }: Omit<EventComment, "id">,
  { title, ...subject }: EventSubject,
  where: Pick<HostEvent, "kind" | "key" | "thread">,
  isBot: (person: EventPerson) => boolean,
): HostEvent {
  return hostEvent({
    ...where,
    title,
    opening: subject.body === "" ? null : { author: subject.user?.login ?? "", body: subject.body },
    author: { id: user.id, login: user.login, isBot: isBot(user) },
    body,
    saidAt: timeOf(times),
    url: html_url,
  });
}

/** A review's comment may have been written long before the review was submitted, which updates it. */
function timeOf({ created_at, updated_at, submitted_at }: Partial<EventSubject>): string | null {
  return latestOf(created_at, updated_at, submitted_at);
}
