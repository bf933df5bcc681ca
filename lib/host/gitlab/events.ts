import { z } from "zod";
import { type HostEvent, hostEvent, latestOf, Text, Times } from "#lib/host/host-event.ts";

const User = z.object({ id: z.int(), username: z.string() });
const Project = z.object({ path_with_namespace: z.string() });
const Subject = z.object({ iid: z.int(), title: Text, description: Text });

const Opened = z.object({
  user: User,
  project: Project,
  object_attributes: Subject.extend({ id: z.int(), action: z.literal("open"), url: z.string(), ...Times }),
});
const Note = z.object({
  user: User,
  project: Project,
  object_attributes: z.object({
    id: z.int(),
    note: Text,
    noteable_type: z.enum(["Issue", "MergeRequest"]),
    discussion_id: z.string().nullish(),
    system: z.boolean().nullish(),
    // Edits are sent too; events of older servers have no action.
    action: z.literal("create").nullish(),
    url: z.string(),
    ...Times,
    position: z.object({ new_path: z.string().nullish(), new_line: z.int().nullish() }).nullish(),
  }),
  issue: Subject.optional(),
  merge_request: Subject.optional(),
});

/**
 * The person's message in an event of GitLab (https://docs.gitlab.com/user/project/integrations/webhook_events/); null for
 * other events. `name` is X-Gitlab-Event.
 */
export function readGitlabEvent(name: string, payload: unknown): HostEvent | null {
  if (name === "Issue Hook" || name === "Merge Request Hook") {
    const event = Opened.safeParse(payload).data;
    if (event === undefined) return null;
    const { iid, title, description, id, url, created_at, updated_at } = event.object_attributes;
    const subject = name === "Issue Hook" ? "issue" : "pull";
    return hostEvent({
      kind: subject,
      key: `${subject}:${id}`,
      thread: { repository: event.project.path_with_namespace, subject, number: iid, replyTo: null },
      title,
      opening: null,
      author: personOf(event.user),
      body: description,
      saidAt: latestOf(created_at, updated_at),
      url,
    });
  }
  if (name !== "Note Hook") return null;
  const event = Note.safeParse(payload).data;
  const about = event?.merge_request ?? event?.issue;
  if (event === undefined || about === undefined || event.object_attributes.system === true) return null;
  const { id, note, noteable_type, discussion_id, url, position, created_at, updated_at } = event.object_attributes;
  const subject = noteable_type === "Issue" ? "issue" : "pull";
  return hostEvent({
    kind: position == null ? subject : "thread",
    key: `note:${id}`,
    thread: {
      repository: event.project.path_with_namespace,
      subject,
      number: about.iid,
      replyTo: discussion_id ?? null,
    },
    title: about.title,
    // The event does not say who opened it.
    opening: about.description === "" ? null : { author: "", body: about.description },
    author: personOf(event.user),
    body: note,
    saidAt: latestOf(created_at, updated_at),
    url,
    path: position?.new_path ?? null,
    line: position?.new_line ?? null,
  });
}

/** Project and group tokens act as users with such names; so do service accounts. */
function personOf({ id, username }: z.output<typeof User>): HostEvent["author"] {
  return { id, login: username, isBot: /^(?:project|group)_\d+_bot|^service_account_|\[bot\]$/.test(username) };
}
