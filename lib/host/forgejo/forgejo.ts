import { z } from "zod";
import { callHost, type HostCall, HostError } from "#lib/host/call-host.ts";
import type { Host, HostSettings } from "#lib/host/host.ts";
import { Comment, commentsOf, issueApi, pathOf } from "#lib/host/issue-api.ts";
import { forgejoPulls } from "./pulls.ts";
import { forgejoReview } from "./review.ts";

const User = z.object({ login: z.string() });

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
  const issues = issueApi("forgejo", api, call);
  return {
    ...issues,
    gitToken: async () => token,
    pulls: forgejoPulls(api, call),

    async identity(signal) {
      const { login } = await callHost(call(signal), { method: "GET", url: `${api}/user` }, User);
      return { login, kind: "user" };
    },

    permission: (repository, person, signal) =>
      issues.permission(repository, person, signal).catch((error: unknown) => {
        throw explained(error);
      }),

    async review(repository, number, of, signal) {
      return await forgejoReview(call(signal), `${api}/repos/${pathOf(repository)}/pulls/${number}`, of);
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
