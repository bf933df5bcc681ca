import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { ClientError } from "#lib/client/client-error.ts";
import { browserTransport, type CallBody, call } from "#lib/client/request.ts";
import type { EditPullRequest } from "#lib/contract/runs/pull-request.ts";
import { queryKeys } from "./query-keys.ts";
import { runQuery } from "./run-queries.ts";

/** A repository's settings for pull requests, and their target. */
export function pullSettingsQuery(orgId: number, repoId: number, transport = browserTransport) {
  return queryOptions({
    queryKey: [...queryKeys.repositories(orgId), repoId, "pull-settings"],
    queryFn: ({ signal }) => call("getPullSettings", { params: { org_id: orgId, repo_id: repoId }, signal }, transport),
  });
}

/** A repository's settings for the checks of its pull requests. */
export function checkSettingsQuery(orgId: number, repoId: number, transport = browserTransport) {
  return queryOptions({
    queryKey: [...queryKeys.repositories(orgId), repoId, "check-settings"],
    queryFn: ({ signal }) =>
      call("getCheckSuiteSettings", { params: { org_id: orgId }, query: { repo_id: repoId }, signal }, transport),
  });
}

/** Changes the settings for pull requests; fields left out stay. */
export function usePutPullSettings(orgId: number, repoId: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: CallBody<"putPullSettings">) =>
      call("putPullSettings", { params: { org_id: orgId, repo_id: repoId }, body }),
    onSuccess: (settings) => client.setQueryData(pullSettingsQuery(orgId, repoId).queryKey, settings),
  });
}

/** Changes the check settings; fields left out stay. */
export function usePutCheckSettings(orgId: number, repoId: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: CallBody<"putCheckSuiteSettings">) =>
      call("putCheckSuiteSettings", { params: { org_id: orgId }, query: { repo_id: repoId }, body }),
    onSuccess: (settings) => client.setQueryData(checkSettingsQuery(orgId, repoId).queryKey, settings),
  });
}

/** Asks for a run's pull request, or for its update. The run, which is then evaluated, is read again. */
export function useOpenPull(orgId: number, runId: number) {
  return useMutation({
    mutationFn: (body: CallBody<"openPullRequest">) =>
      call("openPullRequest", { params: { org_id: orgId, agent_run_id: runId }, body }),
    onSuccess: useReadRunAgain(orgId, runId),
  });
}

/** Changes the state of a run's pull request on its code host. A refusal of the host is an error with the host's reason. */
export function useEditPull(orgId: number, runId: number) {
  return useMutation({
    mutationFn: async ({ pullId, state }: EditPullRequest & { pullId: number }) => {
      const { success, error } = await call("editPullRequest", {
        params: { org_id: orgId, pr_id: pullId },
        body: { state },
      });
      if (!success) throw new ClientError("refused", error ?? "The code host refused the change.");
    },
    onSuccess: useReadRunAgain(orgId, runId),
  });
}

/** Bans a run, or removes the ban: events on the pull request of a banned run do not resume it. */
export function useBanRun(orgId: number, runId: number) {
  return useMutation({
    mutationFn: (isBanned: boolean) =>
      call(isBanned ? "banRun" : "unbanRun", { params: { org_id: orgId }, body: { agent_run_id: runId } }),
    onSuccess: useReadRunAgain(orgId, runId),
  });
}

function useReadRunAgain(orgId: number, runId: number): () => Promise<void> {
  const client = useQueryClient();
  return () => {
    void client.invalidateQueries({ queryKey: queryKeys.runLists(orgId) });
    return client.invalidateQueries({ queryKey: runQuery(orgId, runId).queryKey, exact: true });
  };
}
