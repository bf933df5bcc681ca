"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type CallBody, call } from "#lib/client/request.ts";
import type { Setup } from "#lib/contract/repositories/setup.ts";
import { queryKeys } from "./query-keys.ts";
import { setupQuery } from "./setup-queries.ts";

/** Changes a repository. */
export function useUpdateRepository(orgId: number, repoId: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: CallBody<"updateRepository">) =>
      call("updateRepository", { params: { org_id: orgId, repo_id: repoId }, body }),
    onSuccess: (repository) => client.setQueryData([...queryKeys.repositories(orgId), repoId], repository),
  });
}

/** Accepts commands, as a whole. `version` is the one the edit is based on. */
export function useAcceptSetup(orgId: number, repoId: number) {
  const client = useQueryClient();
  const keep = useKeepSetup(orgId, repoId);
  return useMutation({
    mutationFn: (body: CallBody<"acceptSetup">) =>
      call("acceptSetup", { params: { org_id: orgId, repo_id: repoId }, body }),
    onSuccess: keep,
    // Another version may have been saved that the page does not know of yet.
    onError: () => void client.invalidateQueries({ queryKey: setupQuery(orgId, repoId).queryKey }),
  });
}

/** Removes the accepted commands. */
export function useDeleteSetup(orgId: number, repoId: number) {
  const keep = useKeepSetup(orgId, repoId);
  return useMutation({
    mutationFn: () => call("deleteSetup", { params: { org_id: orgId, repo_id: repoId } }),
    onSuccess: keep,
  });
}

/** Discards the proposal. */
export function useDiscardProposal(orgId: number, repoId: number) {
  const keep = useKeepSetup(orgId, repoId);
  return useMutation({
    mutationFn: () => call("discardProposal", { params: { org_id: orgId, repo_id: repoId } }),
    onSuccess: keep,
  });
}

/** Makes the next run prepare its checkout again. */
export function useRebuildSetup(orgId: number, repoId: number) {
  const keep = useKeepSetup(orgId, repoId);
  return useMutation({
    mutationFn: () => call("rebuildSetup", { params: { org_id: orgId, repo_id: repoId } }),
    onSuccess: keep,
  });
}

/** Starts a run that finds the setup commands and tries them. */
export function useGenerateSetup(orgId: number, repoId: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call("generateSetup", { params: { org_id: orgId }, body: { repo_id: repoId } }),
    // Also after an error: another run may be in progress that the page does not know of yet.
    onSettled: () => {
      void client.invalidateQueries({ queryKey: queryKeys.runLists(orgId) });
      return client.invalidateQueries({ queryKey: setupQuery(orgId, repoId).queryKey });
    },
  });
}

function useKeepSetup(orgId: number, repoId: number) {
  const client = useQueryClient();
  return (setup: Setup) => {
    const { queryKey } = setupQuery(orgId, repoId);
    client.setQueryData(queryKey, setup);
    void client.invalidateQueries({
      queryKey: queryKeys.repositories(orgId),
      predicate: (query) => query.queryHash !== JSON.stringify(queryKey),
    });
  };
}
