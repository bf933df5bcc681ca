import { z } from "zod";
import { callHost, type HostCall, HostError, type HostRefusal, nullIfUnseen } from "#lib/host/call-host.ts";
import { forgejoDraft, markedTitle, plainTitle } from "#lib/host/draft-title.ts";
import { pathOf, Repository } from "#lib/host/issue-api.ts";
import { markdownFor, titleFor } from "#lib/host/outgoing.ts";
import type { HostPullRequest, PullHost } from "#lib/host/pull-host.ts";
import { withoutJoiners } from "#lib/host/quiet-words.ts";
import { forgejoChecks } from "./checks.ts";

const Pull = z.object({
  number: z.int(),
  html_url: z.string(),
  title: z.string(),
  body: z.string().nullish(),
  draft: z.boolean().nullish(),
  state: z.string(),
  merged: z.boolean().nullish(),
  head: z.object({
    // The branch's name, even if it was deleted; then `ref` is a name inside the server.
    label: z.string(),
    ref: z.string(),
    sha: z.string(),
    repo: z.object({ full_name: z.string() }).nullish(),
  }),
  base: z.object({ ref: z.string() }),
  user: z.object({ login: z.string() }).nullish(),
});
type Pull = z.output<typeof Pull>;

const perPage = 50;
/** Older servers cannot list by branch: a pull request behind 500 newer ones is not found. */
const pagesMax = 10;

/**
 * Pull requests and statuses through the REST API of Forgejo and Gitea (https://forgejo.org/docs/latest/user/api-usage/). It has
 * no check runs, annotations or logs.
 */
export function forgejoPulls(api: string, callAs: (signal: AbortSignal) => HostCall): PullHost {
  const place = (fullName: string) => `${api}/repos/${pathOf(fullName)}`;
  const listOf = (fullName: string) => `${place(fullName)}/pulls`;
  const refusable = (signal: AbortSignal): HostCall => ({ ...callAs(signal), reasonOf });
  const read = (fullName: string, number: number, signal: AbortSignal) =>
    callHost(callAs(signal), { method: "GET", url: `${listOf(fullName)}/${number}` }, Pull);
  return {
    async repository(fullName, signal) {
      const url = place(fullName);
      const found = await nullIfUnseen(callHost(callAs(signal), { method: "GET", url }, Repository));
      if (found === null) return null;
      return {
        defaultBranch: found.default_branch,
        canPush: found.permissions?.push === true && found.archived !== true,
      };
    },

    async findPull(fullName, headBranch, signal) {
      const isOwn = ({ head }: Pull) =>
        branchOf(head) === headBranch && head.repo?.full_name.toLowerCase() === fullName.toLowerCase();
      for (let page = 1; page <= pagesMax; page++) {
        const asked = { state: "all", head: headBranch, limit: String(perPage), page: String(page) };
        const url = `${listOf(fullName)}?${new URLSearchParams(asked)}`;
        const found = await callHost(callAs(signal), { method: "GET", url }, z.array(Pull));
        const [own] = found.filter(isOwn).sort((one, other) => other.number - one.number);
        if (own !== undefined) return pullOf(own);
        if (found.length === 0) return null;
      }
      return null;
    },

    async openPull(fullName, { headBranch, baseBranch, title, body, draft }, signal) {
      const words = {
        title: markedTitle(titleFor(title), forgejoDraft, draft),
        body: markdownFor("forgejo", body, true),
      };
      const asked = { head: headBranch, base: baseBranch, ...words };
      const request = { method: "POST", url: listOf(fullName), body: asked } as const;
      return pullOf(await callHost(refusable(signal), request, Pull));
    },

    async updatePull(fullName, number, { title, body, state, draft }, signal) {
      const now = await read(fullName, number, signal);
      const { draft: draftNow, state: stateNow } = pullOf(now);
      const titled = markedTitle(title === undefined ? now.title : titleFor(title), forgejoDraft, draft ?? draftNow);
      const change = {
        ...(titled === now.title ? {} : { title: titled }),
        ...(body === undefined ? {} : { body: markdownFor("forgejo", body, true) }),
        ...(state === undefined || state === stateNow ? {} : { state }),
      };
      if (Object.keys(change).length === 0) return pullOf(now);
      const request = { method: "PATCH", url: `${listOf(fullName)}/${number}`, body: change } as const;
      return pullOf(await callHost(refusable(signal), request, Pull));
    },

    async getPull(fullName, number, signal) {
      const found = await nullIfUnseen(read(fullName, number, signal));
      return found === null ? null : pullOf(found);
    },

    async requestReview(fullName, number, { login }, signal) {
      const url = `${listOf(fullName)}/${number}/requested_reviewers`;
      try {
        const request = { method: "POST", url, body: { reviewers: [login] } } as const;
        await callHost(refusable(signal), request, z.array(z.unknown()));
        return true;
      } catch (error) {
        // The author, somebody who cannot see the repository, or nobody at all.
        if (error instanceof HostError && (error.status === 422 || error.status === 404)) return false;
        throw error;
      }
    },

    async checks(fullName, { commit }, etag, signal) {
      return await forgejoChecks(callAs(signal), place(fullName), { commit, etag });
    },

    checkLog: async () => null,
  };
}

/** Kind of refusal, by status and words. */
function reasonOf(status: number, words: string): HostRefusal | null {
  if (status === 409) return "duplicate";
  if (status === 403) return /protected/i.test(words) ? "protected" : "scope";
  if (status !== 404 && status !== 422) return null;
  if (/branch/i.test(words) && /could not find|does not exist|not found/i.test(words))
    return /head repository/i.test(words) ? "no_head" : "no_branch";
  return /no (?:changes|commits)|same/i.test(words) ? "no_commits" : null;
}

const branchOf = ({ label, ref }: Pull["head"]) => (ref.startsWith("refs/") ? label : ref);

function pullOf(pull: Pull): HostPullRequest {
  return {
    number: pull.number,
    url: pull.html_url,
    title: withoutJoiners(plainTitle(pull.title, forgejoDraft)),
    body: withoutJoiners(pull.body ?? ""),
    draft: pull.draft ?? forgejoDraft.pattern.test(pull.title),
    state: pull.merged === true ? "merged" : pull.state === "open" ? "open" : "closed",
    head: { branch: branchOf(pull.head), commit: pull.head.sha },
    baseBranch: pull.base.ref,
    author: pull.user?.login ?? "ghost",
  };
}
