"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type CallBody, call, callTagged } from "#lib/client/request.ts";
import { settingsQuery } from "./organization-queries.ts";
import { queryKeys } from "./query-keys.ts";

/**
 * Changes settings of the organization, with `ifMatch` only those that were read; also reads the agents again, because one of them is
 * the default.
 */
export function useChangeSettings(orgId: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ ifMatch, ...body }: CallBody<"changeSettings"> & { ifMatch?: string | null }) =>
      callTagged("changeSettings", { params: { org_id: orgId }, body, ifMatch }),
    onSuccess: (settings) => {
      client.setQueryData(settingsQuery(orgId).queryKey, settings);
      return client.invalidateQueries({ queryKey: queryKeys.agents(orgId) });
    },
    // Others may have changed them.
    onError: () => void client.invalidateQueries({ queryKey: settingsQuery(orgId).queryKey }),
  });
}

/** Asks the engine to sign in to an agent; how it goes is read with the agents. */
export function useSignInToAgent(orgId: number, agentId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (method: string) =>
      call("signInToAgent", { params: { org_id: orgId, agent_id: agentId }, body: { method } }),
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.agents(orgId) }),
  });
}
