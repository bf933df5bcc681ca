import { z } from "zod";
import { callHost, HostError, nullIfUnseen } from "#lib/host/call-host.ts";
import type { Host, HostPermission, HostSettings, HostThread } from "#lib/host/host.ts";
import { markdownFor } from "#lib/host/outgoing.ts";
import { PullRequest, pullOf } from "#lib/host/pull-request.ts";
import { githubAuthorization } from "./authorization.ts";
import { githubPulls } from "./pulls.ts";
import { githubReview } from "./review.ts";

const Comment = z.object({ id: z.int(), html_url: z.string().nullish(), body: z.string().nullish() });
const Person = z.object({ id: z.int(), login: z.string() });
const Permission = z.object({ permission: z.string() });
/** The schemas of GitHub's responses; documented/shapes.ts compares them with GitHub's documentation. */
export const conversationAnswers = { Comment, Person, Permission };
/** Comments of a page, GitHub's most, and comments read to find a reply. */
const perPage = 100;
const repliesMax = 1000;
const permissions: Record<string, HostPermission> = { admin: "admin", maintain: "write", write: "write", read: "read" };

/**
 * GitHub and GitHub Enterprise, through their REST API (https://docs.github.com/rest). A repository is named `owner/name`;
 * issues and pull requests share their numbers.
 */
export function githubHost({ baseUrl, credential, send, ...others }: HostSettings): Host {
  const api = githubApi(baseUrl);
  const authorization = githubAuthorization(api, { credential, send, ...others });
  const callAs = authorization.call;
  return {
    identity: authorization.identity,
    gitToken: authorization.token,
    unauthorizedHint: authorization.unauthorizedHint,
    pulls: githubPulls(api, callAs, authorization.rights),

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
      return pull === null ? null : pullOf(pull, repository);
    },

    async review(repository, number, { id }, signal) {
      const pull = `${api}/repos/${pathOf(repository)}/pulls/${number}`;
      return id === null ? null : await githubReview(await callAs(signal), pull, id);
    },

    async reply(thread, body, signal) {
      const url = thread.replyTo === null ? `${api}${commentsOf(thread)}` : `${api}${repliesOf(thread)}`;
      const written = await callHost(
        await callAs(signal),
        { method: "POST", url, body: { body: markdownFor("github", body) } },
        Comment,
      );
      return { id: String(written.id), url: written.html_url ?? null };
    },

    async findReply(thread, text, since, signal) {
      const list = thread.replyTo === null ? commentsOf(thread) : `${pullPath(thread)}/comments`;
      for (let page = 1; page <= repliesMax / perPage; page += 1) {
        // Comments of an issue are always listed from the oldest; remarks on lines can be sorted.
        const order = thread.replyTo === null ? "" : "&sort=created&direction=desc";
        const url = `${api}${list}?per_page=${perPage}&page=${page}&since=${since.toISOString()}${order}`;
        const comments = await callHost(await callAs(signal), { method: "GET", url }, z.array(Comment));
        const found = comments.find(({ body }) => body?.includes(text));
        if (found !== undefined) return { id: String(found.id), url: found.html_url ?? null };
        if (comments.length < perPage) break;
      }
      return null;
    },
  };
}

/** Address of the API: a separate host for github.com, a path elsewhere. */
export function githubApi(baseUrl: string): string {
  return /^https:\/\/(?:www\.)?github\.com$/i.test(baseUrl) ? "https://api.github.com" : `${baseUrl}/api/v3`;
}

const pathOf = (repository: string) => repository.split("/").map(encodeURIComponent).join("/");
const commentsOf = ({ repository, number }: HostThread) => `/repos/${pathOf(repository)}/issues/${number}/comments`;
const pullPath = ({ repository, number }: HostThread) => `/repos/${pathOf(repository)}/pulls/${number}`;
const repliesOf = (thread: HostThread) =>
  `${pullPath(thread)}/comments/${encodeURIComponent(thread.replyTo ?? "")}/replies`;
