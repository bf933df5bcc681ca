import { ApiError, notFound } from "#lib/contract/error.ts";
import type { EditedPullRequest, EditPullRequest } from "#lib/contract/runs/pull-request.ts";
import { HostError } from "#lib/host/call-host.ts";
import { failureOf, openIntegration } from "#lib/host/open-integration.ts";
import { isOutage } from "#lib/host/outage.ts";
import { findOwnPull, type OwnPull } from "#lib/host/own-pull.ts";
import type { HostPullRequest, PullRequestChange } from "#lib/host/pull-host.ts";
import type { PullRow } from "#lib/store/pulls/pull-rows.ts";
import { requireAct } from "#lib/store/runs/run-acts.ts";
import { recordAct } from "./audit.ts";
import type { OrganizationContext } from "./service-context.ts";

type WantedState = EditPullRequest["state"];

/** Seconds until a retry if the host names none. */
const againSeconds = 30;

/** Changes the pull request on its host, then here. 503 if the host cannot be reached: then nothing is changed. */
export async function editAtHost(
  context: OrganizationContext,
  pull: PullRow,
  wanted: WantedState,
): Promise<EditedPullRequest> {
  const { store, access, seal, outbound, signal } = context;
  const run = await store.runs.find(access, pull.runId);
  if (run === null || pull.number === null || pull.integrationId === null || pull.fullName === null) {
    throw notFound("Pull request");
  }
  requireAct(access, "push", run.userId);
  const integration = await store.integrations.findById(pull.integrationId);
  if (integration === null)
    return refused(
      pull,
      "The code host of this pull request is no longer connected. An admin can connect it under Integrations.",
    );
  let changed: HostPullRequest;
  const { fullName, number: at, headBranch } = pull;
  try {
    const opened = openIntegration(integration, { seal, send: outbound.send });
    if (opened.kind !== "host") return refused(pull, "Its integration is not a code host.");
    const own = await findOwnPull(opened.host, { fullName, number: at, headBranch }, signal);
    if (own.kind === "gone") return refused(pull, "It is no longer on the code host.");
    if (own.kind === "unseen") return refused(pull, "The integration's account cannot see it on the code host.");
    changed = await opened.host.pulls.updatePull(fullName, at, changeOf(wanted), signal);
  } catch (error) {
    signal.throwIfAborted();
    const message = failureOf(error);
    if (!isOutage(error)) return refused(pull, message);
    const waitMs = error instanceof HostError ? error.waitMs : null;
    const seconds = waitMs === null ? againSeconds : Math.ceil(waitMs / 1000);
    throw new ApiError("unavailable", `Nothing was changed: ${message}`, {
      headers: { "retry-after": String(seconds) },
    });
  }
  await store.transaction(async (writing) => {
    const closedAt = changed.state === "open" ? null : (pull.closedAt ?? context.now().toISOString());
    const { state, title } = changed;
    await writing.pulls.note(access, pull.id, { state, title, isDraft: changed.draft, closedAt });
    const object = { type: "agent_run", id: run.id, name: `#${changed.number}` };
    await recordAct(writing, context, { act: "pull_request.changed", object, details: { state: wanted } });
  });
  const { url, number, title, state } = changed;
  return { success: true, url, number, title, state, error: null };
}

/**
 * Checks whether a closed pull request is open again on its host, and records that. If the host cannot be asked, nothing changes.
 */
export async function lookAgain(context: OrganizationContext, pull: PullRow): Promise<void> {
  const { store, access, seal, outbound, signal } = context;
  const { number, fullName, headBranch, integrationId } = pull;
  const integration = integrationId === null ? null : await store.integrations.findById(integrationId);
  if (integration === null || number === null || fullName === null) return;
  let own: OwnPull;
  try {
    const opened = openIntegration(integration, { seal, send: outbound.send });
    if (opened.kind !== "host") return;
    own = await findOwnPull(opened.host, { fullName, number, headBranch }, signal);
  } catch (error) {
    signal.throwIfAborted();
    failureOf(error);
    return;
  }
  if (own.kind !== "own") return;
  const { state, title, draft: isDraft } = own.there;
  if (state === "open") await store.pulls.note(access, pull.id, { state, title, isDraft, closedAt: null });
}

function changeOf(wanted: WantedState): PullRequestChange {
  return wanted === "open" || wanted === "closed" ? { state: wanted } : { draft: wanted === "draft" };
}

function refused({ url, number, title, state }: PullRow, error: string): EditedPullRequest {
  return { success: false, url, number, title, state, error };
}
