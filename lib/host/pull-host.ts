import type { Outgoing, Title } from "./outgoing.ts";
import type { HostPerson } from "./person.ts";

/**
 * A pull request as the service opens and follows it. `number` is the one in its address (GitLab: `iid`). `head.commit` is the
 * full name of the commit that the host has at its branch. `draft`: it is marked as not ready (GitLab and Forgejo: in its title).
 * `author` is a login.
 */
export type HostPullRequest = {
  number: number;
  url: string;
  title: string;
  body: string;
  draft: boolean;
  state: "open" | "closed" | "merged";
  head: { branch: string; commit: string };
  baseBranch: string;
  author: string;
};

/** A remark of a check about a line; `path` is relative to the repository, `line` counts from 1. */
export type HostAnnotation = {
  path: string;
  line: number | null;
  level: "notice" | "warning" | "failure";
  message: string;
};

/**
 * A check of a commit: a check run or a status (GitHub), a job (GitLab), a status (Forgejo). `id` identifies it on its host, and
 * distinguishes a repeated run from the one before if the host has an id for each. `app` is who reports it, if the host says so.
 * `conclusion` is null until `status` is `completed`.
 */
export type HostCheck = {
  id: string;
  name: string;
  app: string | null;
  status: "queued" | "running" | "completed";
  conclusion: "success" | "failure" | "neutral" | "skipped" | "cancelled" | "timed_out" | "action_required" | null;
  url: string | null;
  startedAt: Date | null;
  completedAt: Date | null;
  annotations: HostAnnotation[];
};

/** Content of a new pull request. Both branches are in the repository itself. */
export type NewPullRequest = { headBranch: string; baseBranch: string; title: Title; body: Outgoing; draft: boolean };

/**
 * Changes of a pull request; absent fields stay. `draft`: false marks it as ready for review, true makes it a draft. A merged one
 * cannot be reopened: hosts refuse that.
 */
export type PullRequestChange = { title?: Title; body?: Outgoing; state?: "open" | "closed"; draft?: boolean };

/** Bytes read of a check's log: its end. */
export const logBytesMax = 256 * 1024;
/** Most checks of a commit that are read, and most annotations of a failed one. */
export const checksMax = 1000;
/** Failed checks whose annotations are read: each costs a request at every poll. */
export const annotatedMax = 20;
export const annotationsMax = 50;

/**
 * Calls of a host about pull requests and checks. `fullName` names the repository as its address does. Every call throws a
 * HostError or an OutboundError whose message may be shown; a HostError's `waitMs` says how long to make no call to the host at
 * all, and its `reason` what can be done about it. `status` 404 or 403: the credential cannot see or do that.
 */
export type PullHost = {
  /** The repository; null if the credential cannot see it. `canPush`: the credential may push to it and it is not archived. */
  repository(fullName: string, signal: AbortSignal): Promise<{ defaultBranch: string; canPush: boolean } | null>;
  /** The newest pull request, in any state, of this branch of the repository itself; null if there is none. */
  findPull(fullName: string, headBranch: string, signal: AbortSignal): Promise<HostPullRequest | null>;
  /**
   * Opens a pull request. Its HostError's `reason` is `duplicate` if one is open already, `no_drafts` if the repository has none,
   * `no_commits` if the branch has nothing that the base lacks, `no_head` if the branch is missing, `no_branch` if the base is, `protected` if a rule of the
   * repository refuses, `scope` if the credential lacks a right.
   */
  openPull(fullName: string, pull: NewPullRequest, signal: AbortSignal): Promise<HostPullRequest>;
  /** Changes a pull request and returns its new state. */
  updatePull(
    fullName: string,
    number: number,
    change: PullRequestChange,
    signal: AbortSignal,
  ): Promise<HostPullRequest>;
  /** The pull request as it is now; null if the credential cannot see it. */
  getPull(fullName: string, number: number, signal: AbortSignal): Promise<HostPullRequest | null>;
  /** Requests a review from a person. False if the host refuses that person, as it does authors and strangers. */
  requestReview(fullName: string, number: number, person: HostPerson, signal: AbortSignal): Promise<boolean>;
  /**
   * Every check of the commit, the latest of each name; at most {@link checksMax}. `number` is the pull request's, for hosts that
   * check a merged result. `etag` is that of the last call, or null; if nothing has changed since then, `checks` is null. Failed
   * checks have their annotations, at most {@link annotationsMax}.
   */
  checks(
    fullName: string,
    of: { commit: string; number: number },
    etag: string | null,
    signal: AbortSignal,
  ): Promise<{ checks: HostCheck[] | null; etag: string | null }>;
  /** End of a check's log, at most {@link logBytesMax} bytes; null if the host keeps none for it. */
  checkLog(fullName: string, check: HostCheck, signal: AbortSignal): Promise<string | null>;
};
