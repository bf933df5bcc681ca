import { z } from "zod";
import { callHost } from "#lib/host/call-host.ts";
import type { Host, HostSettings, HostThread } from "#lib/host/host.ts";
import { Comment, commentsOf, issueApi, pathOf } from "#lib/host/issue-api.ts";
import { githubAuthorization } from "./authorization.ts";
import { githubPulls } from "./pulls.ts";
import { githubReview } from "./review.ts";

/** Comments of a page, GitHub's most, and comments read to find a reply. */
const perPage = 100;
const repliesMax = 1000;

/**
 * GitHub and GitHub Enterprise, through their REST API (https://docs.github.com/rest). A repository is named `owner/name`;
 * issues and pull requests share their numbers.
 */
export function githubHost({ baseUrl, credential, send, ...others }: HostSettings): Host {
  const api = githubApi(baseUrl);
  const authorization = githubAuthorization(api, { credential, send, ...others });
  const callAs = authorization.call;
  const issues = issueApi("github", api, callAs);
  return {
    ...issues,
    identity: authorization.identity,
    gitToken: authorization.token,
    unauthorizedHint: authorization.unauthorizedHint,
    pulls: githubPulls(api, callAs, authorization.rights),

    async review(repository, number, { id }, signal) {
      const pull = `${api}/repos/${pathOf(repository)}/pulls/${number}`;
      return id === null ? null : await githubReview(await callAs(signal), pull, id);
    },

    reply: (thread, body, signal) => issues.reply(thread, body, signal, repliesOf(thread)),

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

const pullPath = ({ repository, number }: HostThread) => `/repos/${pathOf(repository)}/pulls/${number}`;
const repliesOf = (thread: HostThread) =>
  thread.replyTo === null
    ? commentsOf(thread)
    : `${pullPath(thread)}/comments/${encodeURIComponent(thread.replyTo)}/replies`;
