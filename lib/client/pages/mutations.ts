"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { repeatable } from "#lib/client/repeatable.ts";
import { type CallBody, call } from "#lib/client/request.ts";
import type { Run } from "#lib/contract/runs/run.ts";
import { analysisQuery } from "./analysis-queries.ts";
import { queryKeys } from "./query-keys.ts";
import { runQuery } from "./run-queries.ts";

/** Starts a run; repeated because the response was lost, it is one run. The lists of runs are read again afterwards. */
export function useCreateRun(orgId: number) {
  const keep = useKeepRun(orgId);
  const [mutationFn] = useState(() =>
    repeatable((body: CallBody<"createRun">, transport) =>
      call("createRun", { params: { org_id: orgId }, body }, transport),
    ),
  );
  return useMutation({ mutationFn, onSuccess: keep });
}

/** Adds a turn to a run; repeated because the response was lost, it is one turn. A run that had ended is live again. */
export function useResumeRun(orgId: number) {
  const keep = useKeepRun(orgId);
  const [mutationFn] = useState(() =>
    repeatable((body: CallBody<"resumeRun">, transport) =>
      call("resumeRun", { params: { org_id: orgId }, body }, transport),
    ),
  );
  return useMutation({ mutationFn, onSuccess: keep });
}

/** Starts a run that analyzes another one, which gets a link to it. */
export function useAnalyzeLogs(orgId: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ runId, body }: { runId: number; body: CallBody<"analyzeLogs"> }) =>
      call("analyzeLogs", { params: { org_id: orgId, agent_run_id: runId }, body }),
    onSuccess: (_, { runId }) => {
      void client.invalidateQueries({ queryKey: queryKeys.runLists(orgId) });
      // It links to the new run.
      void client.invalidateQueries({ queryKey: analysisQuery(orgId, runId).queryKey });
      return client.invalidateQueries({ queryKey: runQuery(orgId, runId).queryKey, exact: true });
    },
  });
}

/** Cancels a run. */
export function useCancelRun(orgId: number) {
  const keep = useKeepRun(orgId);
  return useMutation({
    mutationFn: (runId: number) => call("cancelRun", { params: { org_id: orgId, agent_run_id: runId } }),
    onSuccess: keep,
  });
}

/** Deletes a run that has ended. Its page stays as it is until the reader leaves it. */
export function useDeleteRun(orgId: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (runId: number) => call("deleteRun", { params: { org_id: orgId, agent_run_id: runId } }),
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys.runLists(orgId) }),
  });
}

/** Pushes a run's branch to the source of its repository. */
export function usePushRun(orgId: number) {
  return useMutation({
    mutationFn: (runId: number) => call("pushRun", { params: { org_id: orgId, agent_run_id: runId } }),
  });
}

/** Answers the question of a waiting run. */
export function useAnswerQuestion(orgId: number, runId: number) {
  const keep = useKeepRun(orgId);
  return useMutation({
    mutationFn: (body: CallBody<"answerQuestion">) =>
      call("answerQuestion", { params: { org_id: orgId, agent_run_id: runId }, body }),
    onSuccess: keep,
  });
}

/** Adds a repository. */
export function useCreateRepository(orgId: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: CallBody<"createRepository">) => call("createRepository", { params: { org_id: orgId }, body }),
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys.repositories(orgId) }),
  });
}

/** Deletes a repository with all its runs. */
export function useDeleteRepository(orgId: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (repoId: number) => call("deleteRepository", { params: { org_id: orgId, repo_id: repoId } }),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: queryKeys.runLists(orgId) });
      return client.invalidateQueries({ queryKey: [...queryKeys.repositories(orgId), "list"] });
    },
  });
}

/** Creates an API token; only the response has its secret. */
export function useCreateToken(orgId: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: CallBody<"createToken">) => call("createToken", { params: { org_id: orgId }, body }),
    // Not awaited: the secret is shown as soon as it exists.
    onSuccess: () => void client.invalidateQueries({ queryKey: queryKeys.tokens(orgId) }),
    // The secret is shown once: nothing keeps it longer than the dialog that shows it.
    gcTime: 0,
  });
}

/** Revokes an API token. */
export function useRevokeToken(orgId: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (tokenId: number) => call("deleteToken", { params: { org_id: orgId, token_id: tokenId } }),
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys.tokens(orgId) }),
  });
}

/** Signs this browser in with the code of a sign-in link. A code works once. */
export function signInWith(code: string) {
  return call("signIn", { body: { code } });
}

/** Starts a sign-in by OpenID Connect. */
export function startOidcHere() {
  return call("startOidc", {});
}

/** Signs this browser in with the provider's response. It works once. */
export function finishOidcHere(query: string, browserSecret: string, invitationCode: string | null) {
  return call("finishOidc", { body: { query, browser_secret: browserSecret, invitation_code: invitationCode } });
}

/** Switches this browser to another organization of the person. */
export function chooseOrganizationHere(organizationId: number) {
  return call("chooseOrganization", { body: { organization_id: organizationId } });
}

/** Creates an organization. */
export function createOrganizationNamed(name: string) {
  return call("createOrganization", { body: { name } });
}

/** Signs this browser out. */
export function signOutHere() {
  return call("signOut", {});
}

export function useKeepRun(orgId: number) {
  const client = useQueryClient();
  return (run: Run) => {
    client.setQueryData(runQuery(orgId, run.id).queryKey, run);
    void client.invalidateQueries({ queryKey: queryKeys.runLists(orgId) });
  };
}
