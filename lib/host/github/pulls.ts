import { z } from "zod";
import { callHost, type HostCall, HostError, type HostRefusal, nullIfUnseen } from "#lib/host/call-host.ts";
import { pathOf, Repository } from "#lib/host/issue-api.ts";
import { markdownFor, titleFor } from "#lib/host/outgoing.ts";
import type { HostPullRequest, NewPullRequest, PullHost, PullRequestChange } from "#lib/host/pull-host.ts";
import { withoutJoiners } from "#lib/host/quiet-words.ts";
import type { GithubRights } from "./authorization.ts";
import { githubCheckLog, githubChecks } from "./checks.ts";

const Pull = z.object({
  number: z.int(),
  node_id: z.string(),
  html_url: z.string(),
  title: z.string(),
  body: z.string().nullish(),
  draft: z.boolean().nullish(),
  state: z.string(),
  merged_at: z.string().nullish(),
  head: z.object({ ref: z.string(), sha: z.string(), repo: z.object({ full_name: z.string() }).nullish() }),
  base: z.object({ ref: z.string() }),
  user: z.object({ login: z.string() }).nullish(),
});
const Readied = z.object({ errors: z.array(z.object({ message: z.string() })).optional() });
/** Only its number matters: the response to a request for a review is the whole pull request. */
const Numbered = z.object({ number: z.int() });

/** The schemas of GitHub's responses; documented/shapes.ts compares them with GitHub's documentation. */
export const pullAnswers = { Repository, Pull, Numbered };

/** Body of the request that opens a pull request. */
export const newPullBody = ({ headBranch, baseBranch, title, body, draft }: NewPullRequest) => {
  return { title: titleFor(title), body: markdownFor("github", body, true), draft, head: headBranch, base: baseBranch };
};

/** Body of the request that changes a pull request. */
export const changedPullBody = ({ title, body, state }: Omit<PullRequestChange, "draft">) => ({
  ...(title === undefined ? {} : { title: titleFor(title) }),
  ...(body === undefined ? {} : { body: markdownFor("github", body, true) }),
  ...(state === undefined ? {} : { state }),
});

/**
 * Pull requests and checks through GitHub's REST API (https://docs.github.com/rest/pulls/pulls). Only GraphQL can mark a draft as
 * ready for review, or turn a pull request back into a draft.
 */
export function githubPulls(
  api: string,
  callAs: (signal: AbortSignal) => Promise<HostCall>,
  rights: GithubRights,
): PullHost {
  const pullsOf = (fullName: string) => `${api}/repos/${pathOf(fullName)}/pulls`;
  const refusable = async (signal: AbortSignal): Promise<HostCall> => ({ ...(await callAs(signal)), reasonOf });
  const pulls: PullHost = {
    async repository(fullName, signal) {
      const url = `${api}/repos/${pathOf(fullName)}`;
      const found = await nullIfUnseen(callHost(await callAs(signal), { method: "GET", url }, Repository));
      if (found === null) return null;
      const { default_branch, archived, permissions } = found;
      const given = await rights(signal);
      const mayPush = given === null ? permissions?.push === true : given.contents === "write";
      return { defaultBranch: default_branch, canPush: mayPush && archived !== true };
    },

    async findPull(fullName, headBranch, signal) {
      const head = `${fullName.split("/")[0]}:${headBranch}`;
      const query = new URLSearchParams({ head, state: "all", sort: "created", direction: "desc", per_page: "20" });
      const url = `${pullsOf(fullName)}?${query}`;
      const found = await callHost(await callAs(signal), { method: "GET", url }, z.array(Pull));
      // A fork may have the same owner, and a filter that GitHub does not understand filters nothing.
      const isOwn = ({ head: { ref, repo } }: z.output<typeof Pull>) =>
        ref === headBranch && repo?.full_name.toLowerCase() === fullName.toLowerCase();
      const [own] = found.filter(isOwn).sort((one, other) => other.number - one.number);
      return own === undefined ? null : pullOf(own);
    },

    async openPull(fullName, pull, signal) {
      const request = { method: "POST", url: pullsOf(fullName), body: newPullBody(pull) } as const;
      return pullOf(await callHost(await refusable(signal), request, Pull));
    },

    async updatePull(fullName, number, { draft, ...wanted }, signal) {
      const url = `${pullsOf(fullName)}/${number}`;
      const change = changedPullBody(wanted);
      const isChange = Object.keys(change).length > 0;
      const request = isChange ? ({ method: "PATCH", url, body: change } as const) : ({ method: "GET", url } as const);
      const pull = await callHost(await refusable(signal), request, Pull);
      if (draft === undefined || draft === (pull.draft === true)) return pullOf(pull);
      const mutation = draft ? "convertPullRequestToDraft" : "markPullRequestReadyForReview";
      const query = `mutation($id: ID!) { ${mutation}(input: {pullRequestId: $id}) { clientMutationId } }`;
      const asked = { query, variables: { id: pull.node_id } };
      const graphql = { method: "POST", url: `${api.replace(/\/v3$/, "")}/graphql`, body: asked } as const;
      const { errors } = await callHost(await refusable(signal), graphql, Readied);
      const [refused] = errors ?? [];
      if (refused !== undefined) throw new HostError(`GitHub refused: ${refused.message.slice(0, 200)}`, 422);
      return { ...pullOf(pull), draft };
    },

    async getPull(fullName, number, signal) {
      const url = `${pullsOf(fullName)}/${number}`;
      const found = await nullIfUnseen(callHost(await callAs(signal), { method: "GET", url }, Pull));
      return found === null ? null : pullOf(found);
    },

    async requestReview(fullName, number, { login }, signal) {
      const url = `${pullsOf(fullName)}/${number}/requested_reviewers`;
      const request = { method: "POST", url, body: { reviewers: [login] } } as const;
      try {
        await callHost(await refusable(signal), request, Numbered);
        return true;
      } catch (error) {
        // The author of the pull request, or somebody who is not a collaborator.
        if (error instanceof HostError && error.status === 422) return false;
        throw error;
      }
    },

    async checks(fullName, { commit }, etag, signal) {
      return await githubChecks(await callAs(signal), `${api}/repos/${pathOf(fullName)}`, { commit, etag });
    },

    async checkLog(fullName, check, signal) {
      return await githubCheckLog(await callAs(signal), `${api}/repos/${pathOf(fullName)}`, check);
    },
  };
  return pulls;
}

/**
 * Kind of refusal: GitHub uses the same status and code for most, and distinguishes them in words
 * (https://docs.github.com/rest/pulls/pulls#create-a-pull-request).
 */
function reasonOf(status: number, words: string): HostRefusal | null {
  if (status === 403 && /not accessible by|must have|scope|permission/i.test(words)) return "scope";
  if (status !== 422 && status !== 409) return null;
  if (/already exists/i.test(words)) return "duplicate";
  if (/draft pull requests are not supported/i.test(words)) return "no_drafts";
  const [, side] = /\b(head|base) (?:is invalid|ref must be a branch)/i.exec(words) ?? [];
  if (side !== undefined) return /head/i.test(side) ? "no_head" : "no_branch";
  if (/no commits between/i.test(words)) return "no_commits";
  return /rule violations|protected/i.test(words) ? "protected" : null;
}

function pullOf(pull: z.output<typeof Pull>): HostPullRequest {
  return {
    number: pull.number,
    url: pull.html_url,
    title: withoutJoiners(pull.title),
    body: withoutJoiners(pull.body ?? ""),
    draft: pull.draft === true,
    state: pull.merged_at == null ? (pull.state === "open" ? "open" : "closed") : "merged",
    head: { branch: pull.head.ref, commit: pull.head.sha },
    baseBranch: pull.base.ref,
    // The author's account may have been deleted.
    author: pull.user?.login ?? "ghost",
  };
}
