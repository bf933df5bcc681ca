import { z } from "zod";
import { callHost, type HostCall, HostError, nullIfUnseen } from "#lib/host/call-host.ts";
import type { Host, HostPermission, HostSettings, HostThread } from "#lib/host/host.ts";
import { markdownFor } from "#lib/host/outgoing.ts";
import { PullRequest, pullOf } from "#lib/host/pull-request.ts";
import { forgejoPulls } from "./pulls.ts";
import { forgejoReview } from "./review.ts";

const User = z.object({ login: z.string() });
const Person = z.object({ id: z.int(), login: z.string() });
const Permission = z.object({ permission: z.string() });
const Comment = z.object({ id: z.int(), html_url: z.string().nullish(), body: z.string().nullish() });
const permissions: Record<string, HostPermission> = { owner: "admin", admin: "admin", write: "write", read: "read" };

/**
 * Forgejo and Gitea, through their REST API version 1 (https://forgejo.org/docs/latest/user/api-usage/). A repository is named
 * `owner/name`; issues and pull requests share their numbers. The API cannot reply in the thread of a comment on a line, so
 * replies go to the conversation.
 */
export function forgejoHost({ baseUrl, credential, send }: HostSettings): Host {
  const api = `${baseUrl}/api/v1`;
  const token = credential.kind === "token" ? credential.token : "";
  const call = (signal: AbortSignal): HostCall => ({
    title: "Forgejo",
    send,
    headers: { authorization: `token ${token}` },
    signal,
  });
  return {
    gitToken: async () => token,
    pulls: forgejoPulls(api, call),

    async identity(signal) {
      const { login } = await callHost(call(signal), { method: "GET", url: `${api}/user` }, User);
      return { login, kind: "user" };
    },

    async person(login, signal) {
      const url = `${api}/users/${encodeURIComponent(login)}`;
      return await nullIfUnseen(callHost(call(signal), { method: "GET", url }, Person));
    },

    async permission(repository, { login }, signal) {
      const url = `${api}/repos/${pathOf(repository)}/collaborators/${encodeURIComponent(login)}/permission`;
      try {
        const { permission } = await callHost(call(signal), { method: "GET", url }, Permission);
        return permissions[permission] ?? "none";
      } catch (error) {
        if (error instanceof HostError && error.status === 404) return "none";
        throw explained(error);
      }
    },

    async pull(repository, number, signal) {
      const url = `${api}/repos/${pathOf(repository)}/pulls/${number}`;
      const pull = await nullIfUnseen(callHost(call(signal), { method: "GET", url }, PullRequest));
      return pull === null ? null : pullOf(pull, repository);
    },

    async review(repository, number, of, signal) {
      return await forgejoReview(call(signal), `${api}/repos/${pathOf(repository)}/pulls/${number}`, of);
    },

    async reply(thread, body, signal) {
      const url = `${api}${commentsOf(thread)}`;
      const { id, html_url } = await callHost(
        call(signal),
        { method: "POST", url, body: { body: markdownFor("forgejo", body) } },
        Comment,
      );
      return { id: String(id), url: html_url ?? null };
    },

    async findReply(thread, text, since, signal) {
      const url = `${api}${commentsOf(thread)}?${new URLSearchParams({ since: since.toISOString() })}`;
      const comments = await callHost(call(signal), { method: "GET", url }, z.array(Comment));
      const found = comments.find(({ body }) => body?.includes(text));
      return found === undefined ? null : { id: String(found.id), url: found.html_url ?? null };
    },
  };
}

/** Only administrators of a repository may ask what others may do there; the host's own words do not say which right is missing. */
function explained(error: unknown): unknown {
  if (!(error instanceof HostError) || error.status !== 403 || !/\bonly admins can query\b/i.test(error.message))
    return error;
  const message = "Forgejo tells only a repository's administrators who may write to it: make the token's account one.";
  return new HostError(message, 403);
}

const pathOf = (repository: string) => repository.split("/").map(encodeURIComponent).join("/");
const commentsOf = ({ repository, number }: HostThread) => `/repos/${pathOf(repository)}/issues/${number}/comments`;
