import { z } from "zod";
import { callHost, type HostCall, HostError, nullIfUnseen } from "./call-host.ts";
import type { Host, HostPermission, HostThread } from "./host.ts";
import { markdownFor } from "./outgoing.ts";

const Person = z.object({ id: z.int(), login: z.string() });
const Permission = z.object({ permission: z.string() });
/** A pull request; `repo` is null if the fork is gone. */
const PullRequest = z.object({
  state: z.string(),
  head: z.object({ ref: z.string(), repo: z.object({ full_name: z.string() }).nullish() }),
  base: z.object({ ref: z.string() }),
});
/** A comment of an issue or pull request. */
export const Comment = z.object({ id: z.int(), html_url: z.string().nullish(), body: z.string().nullish() });
/** What is asked of a repository. */
export const Repository = z.object({
  default_branch: z.string(),
  archived: z.boolean().nullish(),
  permissions: z.object({ push: z.boolean().nullish() }).nullish(),
});

/** The schemas of GitHub's responses; documented/shapes.ts compares them with GitHub's documentation. */
export const conversationAnswers = { Comment, Person, Permission, PullRequest };

const permissions: Record<string, HostPermission> = {
  ...{ owner: "admin", admin: "admin", maintain: "write", write: "write", read: "read" },
};

/** Path of a repository in an address. */
export const pathOf = (repository: string) => repository.split("/").map(encodeURIComponent).join("/");

/** Address of the comments of an issue or pull request, below that of the API. */
export const commentsOf = ({ repository, number }: HostThread) =>
  `/repos/${pathOf(repository)}/issues/${number}/comments`;

/** Calls that GitHub answers, and Forgejo and Gitea like it. `reply` is one to the conversation, at `address` if it is given. */
export function issueApi(
  service: "github" | "forgejo",
  api: string,
  callAs: (signal: AbortSignal) => HostCall | Promise<HostCall>,
) {
  return {
    async person(login, signal) {
      const url = `${api}/users/${encodeURIComponent(login)}`;
      return await nullIfUnseen(callHost(await callAs(signal), { method: "GET", url }, Person));
    },

    async permission(repository, { login }, signal) {
      const url = `${api}/repos/${pathOf(repository)}/collaborators/${encodeURIComponent(login)}/permission`;
      try {
        const { permission } = await callHost(await callAs(signal), { method: "GET", url }, Permission);
        return permissions[permission] ?? "none";
      } catch (error) {
        if (error instanceof HostError && error.status === 404) return "none";
        throw error;
      }
    },

    async pull(repository, number, signal) {
      const url = `${api}/repos/${pathOf(repository)}/pulls/${number}`;
      const pull = await nullIfUnseen(callHost(await callAs(signal), { method: "GET", url }, PullRequest));
      if (pull === null) return null;
      const { state, head, base } = pull;
      const isOwn = head.repo?.full_name.toLowerCase() === repository.toLowerCase();
      return { isOpen: state === "open", head: { branch: head.ref, isOwn, isGone: false }, baseBranch: base.ref };
    },

    async reply(thread, body, signal, address = commentsOf(thread)) {
      const request = { method: "POST", url: `${api}${address}`, body: { body: markdownFor(service, body) } } as const;
      const { id, html_url } = await callHost(await callAs(signal), request, Comment);
      return { id: String(id), url: html_url ?? null };
    },
  } satisfies Pick<Host, "person" | "permission" | "pull"> & {
    reply(...given: [...Parameters<Host["reply"]>, address?: string]): ReturnType<Host["reply"]>;
  };
}
