import { z } from "zod";
import { pullBodyMax, pullTitleMax } from "#lib/contract/bounds.ts";
import { defineOperation, Id, OrgParams, RepositoryParams, RunParams } from "#lib/contract/define-operation.ts";
import { branchNameProblem } from "#lib/contract/repositories/branch-name.ts";
import { FilledText, Instant, Text } from "#lib/contract/text.ts";
import { pullStages, pullStates, pullVerdicts } from "#lib/contract/words.ts";

export type PullState = (typeof pullStates)[number];
export type PullStage = (typeof pullStages)[number];
export type PullVerdict = (typeof pullVerdicts)[number];

/** A branch of a repository, as settings and requests name it. */
export const BranchName = z.string().superRefine((name, context) => {
  const problem = branchNameProblem(name);
  if (problem !== null) context.addIssue({ code: "custom", message: problem });
});

/** Figures of the checks of a pull request's last commit. Ignored checks count nowhere. */
const CheckFigures = z.object({
  passed: z.int().describe("Checks that succeeded or were skipped").meta({ example: 3 }),
  failed: z.int().describe("Checks that failed").meta({ example: 0 }),
  pending: z.int().describe("Checks that have not ended"),
  failing: z.array(z.string()).describe("Names of those that failed").meta({ example: [] }),
});

/** State of a run's work on the code host. */
export const PullRequest = z.object({
  id: z.int().describe("Its id here, for `PATCH prs`").meta({ example: 3 }),
  agent_run_id: z.int().describe("The run"),
  number: z.int().nullable().describe("Its number on the code host; null until it is opened").meta({ example: 12 }),
  url: z.string().nullable().describe("Its page on the code host; null until it is opened"),
  title: z.string().nullable().describe("Its title; null until it is opened").meta({ example: "Fix the failing test" }),
  state: z
    .enum(pullStates)
    .describe(
      "opening: not there yet; open, closed, merged: as on the code host; failed: it could not be opened, see error; pushed: the remote has no pull requests, and the branch is there",
    ),
  draft: z.boolean().describe("Whether it is a draft"),
  stage: z
    .enum(pullStages)
    .nullable()
    .describe(
      "What is being done: weighing (Errand checks its commits), testing (by the repository's own commands), pushing, opening, checking (its checks are followed) or fixing; null: nothing",
    ),
  verdict: z
    .enum(pullVerdicts)
    .nullable()
    .describe(
      "How the last work on it ended: green; red; gave_up (every round is used); no_progress (a round left the same failures); no_checks; diverged (someone else changed the branch); refused (the commits failed Errand's checks); closed, merged or banned meanwhile; null: it has not ended, was cancelled, or failed",
    ),
  reason: z.string().nullable().describe("The verdict in words, or null"),
  round: z.int().describe("How many times failed checks were handed to the agent since it was last asked for"),
  rounds_max: z.int().describe("Maximum number of rounds").meta({ example: 3 }),
  checks: CheckFigures.nullable().describe("Checks of its last commit; null before any was seen"),
  head_branch: z.string().describe("The branch with the run's commits").meta({ example: "errand/run-1" }),
  commit: z.string().nullable().describe("The commit that was pushed last, or null"),
  base_branch: z.string().nullable().describe("The branch it merges into; null until it is known"),
  error: z
    .object({
      code: z.string().describe("Kind of failure"),
      message: z.string().describe("What happened"),
      hint: z.string().nullable().describe("What to do about it, or null"),
    })
    .nullable()
    .describe("Why it could not be pushed or opened; null unless that failed last"),
  created_at: Instant.describe("When it was first asked for"),
  opened_at: Instant.nullable().describe("When it was opened, or null"),
  closed_at: Instant.nullable().describe("When it was closed or merged, or null").meta({ example: null }),
});
z.globalRegistry.add(PullRequest, {
  id: "PullRequest",
  example: {
    url: "https://github.com/acme/shop/pull/12",
    state: "open",
    stage: "checking",
    verdict: null,
    round: 0,
    commit: "8f5c1a90d3b24e7f6a1c0b9d8e7f6a5b4c3d2e1f",
    base_branch: "main",
    error: null,
  },
});
export type PullRequest = z.infer<typeof PullRequest>;

/** Request body of `POST …/pull-request`: absent fields get values chosen by the service. */
export const OpenPullRequest = z.object({
  title: FilledText(pullTitleMax)
    .refine((title) => !/\p{Cc}/u.test(title), "must be one line without control characters")
    .nullish()
    .describe("Its title; by default the run's summary, or else its prompt's first line"),
  body: Text(pullBodyMax)
    .nullish()
    .describe(
      "What comes before the run's own description; Markdown. Commands of the host and mentions of others in it do nothing",
    ),
  draft: z.boolean().nullish().describe("Whether to open it as a draft; by default the repository's setting"),
  base_branch: BranchName.nullish().describe(
    "The branch it merges into; by default the repository's setting, or else the branch the run started from",
  ),
});
z.globalRegistry.add(OpenPullRequest, { example: { draft: true } });
export type OpenPullRequest = z.infer<typeof OpenPullRequest>;

export const openPullRequest = defineOperation({
  id: "openPullRequest",
  summary: "Open a run's pull request, or bring it up to date",
  description:
    "The run becomes `evaluating`: its commits are checked and pushed to `errand/run-{id}`, the pull request is opened if there is none, and its checks are followed; failed ones are handed to the agent, as often as the check settings allow. The response does not wait for this: follow `pull_request` of the run. Other people's commits are never overwritten. A remote without pull requests gets the branch. Asked again while this continues, it uses the given values, unless the pull request is being opened or its checks are followed: then other values give 409. 409 with the reason also if the run has no work, is still working or is external, if pull requests are off for the organization or the repository, if its code host is not connected, if the pull request was closed or merged, or if it is open for another base branch.",
  scope: "repos:write",
  act: "push",
  rateClass: "edit",
  refusals: ["conflict"],
  params: RunParams,
  body: OpenPullRequest,
  result: PullRequest,
  idempotent: "repeatable",
});

/** Request body of `PATCH prs`. */
export const EditPullRequest = z.object({
  state: z
    .enum(["open", "closed", "draft", "ready_for_review"])
    .describe("New state of the pull request; ready_for_review marks a draft as ready")
    .meta({ example: "ready_for_review" }),
});
export type EditPullRequest = z.infer<typeof EditPullRequest>;

/** A pull request after the change, in the reference service's shape. */
export const EditedPullRequest = z.object({
  success: z.boolean().describe("Whether the code host has changed it"),
  url: z.string().nullable().describe("Its page on the code host, or null"),
  number: z.int().nullable().describe("Its number on the code host, or null").meta({ example: 7 }),
  title: z.string().nullable().describe("Its title, or null").meta({ example: "Read dates in UTC" }),
  state: z.string().nullable().describe("Its current state, or null").meta({ example: "open" }),
  error: z.string().nullable().describe("Why it was not changed, or null"),
});
z.globalRegistry.add(EditedPullRequest, { example: { url: "https://git.example.com/acme/shop/pulls/7" } });
export type EditedPullRequest = z.infer<typeof EditedPullRequest>;

const shared = {
  description:
    "Closes, reopens, or marks it as ready or as a draft on the code host. `success` is false, with the reason, if the host refuses; 503 with Retry-After, and nothing is changed, if it cannot be reached.",
  scope: "repos:write",
  act: "push",
  rateClass: "edit",
  body: EditPullRequest,
  result: EditedPullRequest,
} as const;

export const editPullRequest = defineOperation({
  ...shared,
  id: "editPullRequest",
  isReference: true,
  summary: "Change the state of a pull request",
  refusals: ["unavailable"],
  params: OrgParams.extend({ pr_id: Id.describe("The pull request") }),
});

export const editRepositoryPullRequest = defineOperation({
  ...shared,
  id: "editRepositoryPullRequest",
  isReference: true,
  summary: "Change the state of a repository's pull request",
  refusals: ["unavailable"],
  params: RepositoryParams.extend({ pr_id: Id.describe("The pull request") }),
});
