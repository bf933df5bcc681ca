import type { HostKind, HostThread } from "#lib/host/host.ts";
import type { Person } from "./host-state.fixture.ts";

/** A message, and where it was written. `at` is a time as in JSON. */
export type Said = {
  thread: HostThread;
  id: number;
  person: Person & { login: string };
  about: { title: string; body: string };
  url: string;
  body: string;
  at: string;
};

/** Name of the event of a comment. */
export const commentEventName = (kind: HostKind) => (kind === "gitlab" ? "Note Hook" : "issue_comment");

/** Payload of the event of a comment. */
export function commentPayload(kind: HostKind, said: Said): object {
  const { thread, id, person, about, url, body, at } = said;
  if (kind === "gitlab") {
    const subject = { iid: thread.number, title: about.title, description: about.body };
    return {
      object_kind: "note",
      user: { id: person.id, username: person.login },
      project: { path_with_namespace: thread.repository },
      object_attributes: {
        id,
        note: body,
        noteable_type: thread.subject === "issue" ? "Issue" : "MergeRequest",
        discussion_id: thread.replyTo ?? `discussion-${id}`,
        action: "create",
        system: false,
        created_at: at.replace(/T(.*)\.\d+Z$/, " $1 UTC"),
        url,
      },
      ...(thread.subject === "issue" ? { issue: subject } : { merge_request: subject }),
    };
  }
  const user = userOf(person);
  return {
    action: "created",
    is_pull: thread.subject === "pull",
    issue: {
      number: thread.number,
      ...about,
      html_url: url,
      user: { id: 1, login: "somebody" },
      ...(thread.subject === "pull" ? { pull_request: {} } : {}),
    },
    comment: { id, body, html_url: url, user, created_at: at },
    repository: { full_name: thread.repository },
    sender: user,
  };
}

/** A person in events of GitHub and Forgejo. */
export const userOf = (person: Person & { login: string }) => ({
  id: person.id,
  login: person.login,
  type: person.isBot === true ? "Bot" : "User",
});
