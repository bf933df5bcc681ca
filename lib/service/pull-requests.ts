import { ApiError, notFound } from "#lib/contract/error.ts";
import { pullSettingsDefaults } from "#lib/contract/repositories/pull-settings.ts";
import type {
  EditedPullRequest,
  EditPullRequest,
  OpenPullRequest,
  PullRequest,
} from "#lib/contract/runs/pull-request.ts";
import { integrationTitles } from "#lib/contract/words.ts";
import { findPullTarget } from "#lib/host/pull-target.ts";
import type { PullRefusal } from "#lib/store/pulls/pulls.ts";
import { requireAct } from "#lib/store/runs/run-acts.ts";
import { recordAct } from "./audit.ts";
import { editAtHost, lookAgain } from "./edit-pull.ts";
import { presentPull } from "./present-pull.ts";
import { findRepository } from "./repositories.ts";
import type { OrganizationContext } from "./service-context.ts";

const refusals: Record<Exclude<PullRefusal, "absent">, string> = {
  external: "An external agent did this run, so Errand does not have its commits.",
  no_work: "The run has no repository, or has made no commits.",
  at_work: "The run is still working. Its pull request can be opened when the turn has ended.",
  under_way:
    "The pull request is being opened or its checks are being followed. Ask again when that has ended, or change it on the code host.",
  closed: "The pull request was closed on the code host. Reopen it there, or start a new run.",
  merged: "The pull request was merged. Start a new run to continue from here.",
  base_branch:
    "base_branch: the pull request is open for another base branch. Leave it out, or change the base on the code host.",
};

/**
 * Asks the engine to push the run's work and to open or update its pull request. 404 for an unknown run, 403 for a role that may
 * not, 409 if it is not possible.
 */
export async function openPullRequest(
  context: OrganizationContext,
  { params, body }: { params: { agent_run_id: number }; body: OpenPullRequest },
): Promise<PullRequest> {
  const { access } = context;
  const before = await context.store.runs.find(access, params.agent_run_id);
  if (before === null) throw notFound("Agent run");
  requireAct(access, "push", before.userId);
  if (before.repositoryId === null) throw new ApiError("conflict", refusals.no_work);
  const repository = await findRepository(context, before.repositoryId);
  const { enablePrCreation } = await context.store.settings.get(access.organizationId);
  if (!enablePrCreation) throw new ApiError("conflict", "Pull requests are turned off for this organization.");
  const settings = (await context.store.pulls.findSettings(access, repository.id)) ?? pullSettingsDefaults;
  if (settings.mode === "off") throw new ApiError("conflict", "Pull requests are turned off for this repository.");
  const integrations = await context.store.integrations.list(access);
  const target = findPullTarget(integrations, repository.source, before.pull?.integrationId);
  if (target.kind === "unclear") throw new ApiError("conflict", target.why);
  if (target.kind === "host" && target.integration === null) {
    const title = integrationTitles[target.type];
    throw new ApiError("conflict", `${title} is not connected. An admin can connect it under Integrations.`);
  }
  if (before.pull?.state === "closed") await lookAgain(context, before.pull);
  return await context.store.transaction(async (store) => {
    const asked = await store.pulls.request(access, before.id, {
      title: body.title ?? null,
      body: body.body ?? null,
      draft: body.draft ?? null,
      baseBranch: body.base_branch ?? null,
    });
    if ("refused" in asked) {
      if (asked.refused === "absent") throw notFound("Agent run");
      throw new ApiError("conflict", refusals[asked.refused]);
    }
    const { run, pull, begun } = asked;
    if (begun) {
      const object = { type: "agent_run", id: run.id, name: pull.headBranch };
      await recordAct(store, context, {
        act: "run.pull_requested",
        object,
        details: { repository: repository.fullName },
      });
    }
    return presentPull(pull, run.status);
  });
}

/** Closes, reopens or marks a pull request on its host; 404 if it is not visible or not opened yet. */
export async function editPullRequest(
  context: OrganizationContext,
  { params, body }: { params: { pr_id: number }; body: EditPullRequest },
): Promise<EditedPullRequest> {
  const pull = await context.store.pulls.find(context.access, params.pr_id);
  if (pull === null) throw notFound("Pull request");
  return editAtHost(context, pull, body.state);
}

/** {@link editPullRequest} for a repository; 404 if it does not exist, or the pull request belongs to another one. */
export async function editRepositoryPullRequest(
  context: OrganizationContext,
  { params, body }: { params: { repo_id: number; pr_id: number }; body: EditPullRequest },
): Promise<EditedPullRequest> {
  await findRepository(context, params.repo_id);
  const pull = await context.store.pulls.find(context.access, params.pr_id);
  if (pull === null || pull.repositoryId !== params.repo_id) throw notFound("Pull request");
  return editAtHost(context, pull, body.state);
}
