import { z } from "zod";
import { callHost, type HostCall, type HostRefusal, nullIfUnseen } from "#lib/host/call-host.ts";
import { gitlabDraft, markedTitle, plainTitle } from "#lib/host/draft-title.ts";
import { markdownFor, titleFor } from "#lib/host/outgoing.ts";
import type { HostPullRequest, PullHost } from "#lib/host/pull-host.ts";
import { withoutJoiners } from "#lib/host/quiet-words.ts";
import { gitlabCheckLog, gitlabChecks } from "./checks.ts";

const Access = z.object({ access_level: z.int() }).nullish();
const Project = z.object({
  // Null in an empty repository.
  default_branch: z.string().nullish(),
  archived: z.boolean().nullish(),
  permissions: z.object({ project_access: Access, group_access: Access }).nullish(),
});
const User = z.object({ id: z.int(), username: z.string() });
const MergeRequest = z.object({
  iid: z.int(),
  web_url: z.string(),
  title: z.string(),
  description: z.string().nullish(),
  draft: z.boolean().nullish(),
  state: z.string(),
  source_branch: z.string(),
  target_branch: z.string(),
  source_project_id: z.int().nullish(),
  target_project_id: z.int(),
  // Null if the branch does not exist.
  sha: z.string().nullish(),
  author: User.nullish(),
  reviewers: z.array(User).nullish(),
});
type MergeRequest = z.output<typeof MergeRequest>;

/** Merge requests and their jobs through GitLab's REST API (https://docs.gitlab.com/api/merge_requests/). */
export function gitlabPulls(api: string, callAs: (signal: AbortSignal) => HostCall): PullHost {
  const place = (fullName: string) => `${api}/projects/${encodeURIComponent(fullName)}`;
  const listOf = (fullName: string) => `${place(fullName)}/merge_requests`;
  const refusable = (signal: AbortSignal): HostCall => ({ ...callAs(signal), reasonOf });
  const read = (fullName: string, number: number, signal: AbortSignal) =>
    callHost(callAs(signal), { method: "GET", url: `${listOf(fullName)}/${number}` }, MergeRequest);
  const put = (fullName: string, number: number, body: object, signal: AbortSignal) =>
    callHost(refusable(signal), { method: "PUT", url: `${listOf(fullName)}/${number}`, body }, MergeRequest);
  return {
    async repository(fullName, signal) {
      const url = place(fullName);
      const found = await nullIfUnseen(callHost(callAs(signal), { method: "GET", url }, Project));
      if (found === null) return null;
      const { default_branch, archived, permissions } = found;
      const levels = [permissions?.project_access, permissions?.group_access].map(
        (access) => access?.access_level ?? 0,
      );
      return { defaultBranch: default_branch ?? "main", canPush: archived !== true && Math.max(...levels) >= 30 };
    },

    async findPull(fullName, headBranch, signal) {
      const asked = { source_branch: headBranch, state: "all", order_by: "created_at", sort: "desc", per_page: "20" };
      const url = `${listOf(fullName)}?${new URLSearchParams(asked)}`;
      const found = await callHost(callAs(signal), { method: "GET", url }, z.array(MergeRequest));
      const [own] = found
        .filter(({ source_project_id, target_project_id }) => source_project_id === target_project_id)
        .sort((one, other) => other.iid - one.iid);
      return own === undefined ? null : pullOf(own);
    },

    async openPull(fullName, { headBranch, baseBranch, title, body, draft }, signal) {
      const asked = {
        source_branch: headBranch,
        target_branch: baseBranch,
        title: markedTitle(titleFor(title), gitlabDraft, draft),
        description: markdownFor("gitlab", body, true),
      };
      const request = { method: "POST", url: listOf(fullName), body: asked } as const;
      return pullOf(await callHost(refusable(signal), request, MergeRequest));
    },

    async updatePull(fullName, number, { title, body, state, draft }, signal) {
      const now = await read(fullName, number, signal);
      const { draft: draftNow, state: stateNow } = pullOf(now);
      const titled = markedTitle(title === undefined ? now.title : titleFor(title), gitlabDraft, draft ?? draftNow);
      const change = {
        ...(titled === now.title ? {} : { title: titled }),
        ...(body === undefined ? {} : { description: markdownFor("gitlab", body, true) }),
        ...(state === undefined || state === stateNow ? {} : { state_event: state === "open" ? "reopen" : "close" }),
      };
      return pullOf(Object.keys(change).length === 0 ? now : await put(fullName, number, change, signal));
    },

    async getPull(fullName, number, signal) {
      const found = await nullIfUnseen(read(fullName, number, signal));
      return found === null ? null : pullOf(found);
    },

    async requestReview(fullName, number, { id }, signal) {
      const { reviewers } = await read(fullName, number, signal);
      const ids = (reviewers ?? []).map((one) => one.id);
      if (ids.includes(id)) return true;
      // People who cannot see the project are silently left out.
      const changed = await put(fullName, number, { reviewer_ids: [...ids, id] }, signal);
      return changed.reviewers?.some((one) => one.id === id) === true;
    },

    async checks(fullName, of, etag, signal) {
      return await gitlabChecks(callAs(signal), place(fullName), { ...of, etag });
    },

    async checkLog(fullName, check, signal) {
      return await gitlabCheckLog(callAs(signal), place(fullName), check);
    },
  };
}

/** Kind of refusal. When a merge request is opened, only a second open one of the same branch gives 409. */
function reasonOf(status: number, words: string): HostRefusal | null {
  if (status === 409) return "duplicate";
  if (status === 403) return /protected/i.test(words) ? "protected" : "scope";
  if (status !== 400 && status !== 422) return null;
  if (!/branch.{0,300}(?:does not exist|is invalid|not found)/i.test(words)) return null;
  return /source.branch/i.test(words) ? "no_head" : "no_branch";
}

function pullOf(found: MergeRequest): HostPullRequest {
  return {
    number: found.iid,
    url: found.web_url,
    title: withoutJoiners(plainTitle(found.title, gitlabDraft)),
    body: withoutJoiners(found.description ?? ""),
    draft: found.draft ?? gitlabDraft.pattern.test(found.title),
    // Locked: it is being merged just now.
    state: found.state === "merged" ? "merged" : found.state === "closed" ? "closed" : "open",
    head: { branch: found.source_branch, commit: found.sha ?? "" },
    baseBranch: found.target_branch,
    author: found.author?.username ?? "ghost",
  };
}
