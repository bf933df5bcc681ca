import { ApiError, notFound } from "#lib/contract/error.ts";
import type { PushResult } from "#lib/contract/runs/push.ts";
import { findGitAuthorization, pushAuthorized } from "#lib/host/git-authorization.ts";
import { adviceOf } from "#lib/host/open-integration.ts";
import { pushRefusal } from "#lib/host/push-refusal.ts";
import { messageOf } from "#lib/message-of.ts";
import { shownSource } from "#lib/shown-source.ts";
import { requireAct } from "#lib/store/runs/run-acts.ts";
import { recordAct } from "./audit.ts";
import { maskText } from "./mask-secrets.ts";
import { findRepository } from "./repositories.ts";
import type { OrganizationContext } from "./service-context.ts";

/**
 * Pushes the run's branch to the source of its repository, and measures its changes against the source's state. 404 for an unknown run, 403 if the role does not permit it, 409 if there is
 * nothing to push or the source cannot be reached now.
 */
export async function pushRun(
  context: OrganizationContext,
  { params }: { params: { agent_run_id: number } },
): Promise<PushResult> {
  const { store, access, signal } = context;
  const run = await store.runs.find(access, params.agent_run_id);
  if (run === null) throw notFound("Agent run");
  requireAct(access, "push", run.userId);
  if (run.repositoryId === null || run.branch === null) {
    throw new ApiError("conflict", "The run has no repository to push to.");
  }
  const repository = await findRepository(context, run.repositoryId);
  const { source } = repository;
  const asked = { runId: run.id, repoId: repository.id, source };
  // Also for a client that goes away: what may have reached the remote must be recorded. git has a time limit of its own.
  const { signal: whole } = new AbortController();
  const push = (header: string | null) =>
    context.pushBranch({ ...asked, authorization: header }, whole).catch((error: unknown) => {
      throw isRefusal(error) ? new ApiError("conflict", error.message) : error;
    });
  const find = await authorizationFor(context, source);
  const { outcome, authorization } = await pushAuthorized(find, push);
  const { status, commit, reason } = outcome;
  const remote = shownSource(source);
  if (status !== "refused") {
    const object = { type: "agent_run", id: run.id, name: run.branch };
    await store.transaction(async (inside) => {
      await inside.runs.notePushed(access, run.id, { commit, remote });
      if (status === "pushed") {
        await recordAct(inside, context, { act: "run.pushed", object, details: { remote, commit } });
      }
    });
    // The branch is there, whatever becomes of the figures.
    await context.noteChanges(run, repository, signal).catch((error: unknown) => {
      context.logger.warn(
        { runId: run.id, reason: maskText(messageOf(error)) },
        "the changes of a pushed run were not measured",
      );
    });
  }
  const refusal = reason === null ? null : pushRefusal(reason, { authorization, mask: maskText });
  return { status, branch: run.branch, commit, remote, reason: refusal?.message ?? null, hint: refusal?.hint ?? null };
}

/** Finds the integration's credential for the source's host; null if it is on none. Throws 409 if the host refuses it. */
async function authorizationFor({ store, access, seal, outbound, signal }: OrganizationContext, source: string) {
  const rows = await store.integrations.list(access);
  const parts = { seal, send: outbound.send };
  return (refused?: string) =>
    findGitAuthorization(rows, source, parts, signal, refused).catch((error: unknown) => {
      signal.throwIfAborted();
      throw new ApiError("conflict", adviceOf(error));
    });
}

/** Errors of the workspace whose message may be shown: nothing to push, or a source that cannot be read. */
function isRefusal(error: unknown): error is Error {
  if (!(error instanceof Error) || !("code" in error)) return false;
  return error.code === "branch_not_found" || String(error.code).startsWith("source_") || error.code === "git_timeout";
}
