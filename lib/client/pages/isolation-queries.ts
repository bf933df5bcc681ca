import { keepPreviousData, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { browserTransport, type CallBody, call } from "#lib/client/request.ts";
import type { Network, RepositoryNetwork } from "#lib/contract/repositories/network.ts";
import { queryKeys } from "./query-keys.ts";

/** A repository, or with null the organization: the owner of network settings and keys. */
export type Place = { orgId: number; repoId: number | null };

/** Isolation on the machine of the agents; read again every half minute, as often as the engine checks it. */
export function isolationQuery(orgId: number, transport = browserTransport) {
  return queryOptions({
    queryKey: [...queryKeys.organization(orgId), "isolation"],
    queryFn: ({ signal }) => call("getIsolation", { params: { org_id: orgId }, signal }, transport),
    refetchInterval: 30_000,
  });
}

/** Network settings of the organization's agents. */
export function networkQuery(orgId: number, transport = browserTransport) {
  return queryOptions({
    queryKey: [...queryKeys.network(orgId), "organization"],
    queryFn: ({ signal }) => call("getNetwork", { params: { org_id: orgId }, signal }, transport),
  });
}

/** Network settings of a repository's runs. */
export function repositoryNetworkQuery(orgId: number, repoId: number, transport = browserTransport) {
  return queryOptions({
    queryKey: [...queryKeys.network(orgId), "repository", repoId],
    queryFn: ({ signal }) =>
      call("getRepositoryNetwork", { params: { org_id: orgId, repo_id: repoId }, signal }, transport),
  });
}

/** Connections refused in the last week, of the organization's runs or a repository's. */
export function recentDenialsQuery({ orgId, repoId }: Place, transport = browserTransport) {
  return queryOptions({
    queryKey: [...queryKeys.network(orgId), "denials", repoId ?? "all"],
    queryFn: ({ signal }) => {
      const query = repoId === null ? {} : { repo_id: repoId };
      return call("listRecentDenials", { params: { org_id: orgId }, query, signal }, transport);
    },
  });
}

/** How often refused connections of a live run are read, in milliseconds. */
const liveMs = 5000;

/** Refused connections of a run; read again when the run ends, because the last of them are written then. */
export function runDenialsQuery(orgId: number, runId: number, isLive: boolean) {
  return queryOptions({
    queryKey: [...queryKeys.network(orgId), "run", runId, isLive ? "live" : "ended"],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => call("listDenials", { params: { org_id: orgId, agent_run_id: runId }, signal }),
    refetchInterval: isLive ? liveMs : false,
  });
}

/** Sets the mode of a place, adds and removes hosts. Earlier refusals may then be allowed. */
export function useChangeNetwork({ orgId, repoId }: Place) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: CallBody<"changeRepositoryNetwork">): Promise<Network | RepositoryNetwork> => {
      if (repoId !== null) {
        return call("changeRepositoryNetwork", { params: { org_id: orgId, repo_id: repoId }, body });
      }
      const { network, ...hosts } = body;
      const mode = network == null ? {} : { network };
      return call("changeNetwork", { params: { org_id: orgId }, body: { ...hosts, ...mode } });
    },
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys.network(orgId) }),
  });
}

/** Keys kept for agents, of the organization and of all its repositories. */
export function keysQuery(orgId: number, transport = browserTransport) {
  return queryOptions({
    queryKey: queryKeys.agentKeys(orgId),
    queryFn: ({ signal }) => call("listKeys", { params: { org_id: orgId }, signal }, transport),
  });
}

/** Stores a key. */
export function usePutKey(orgId: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: CallBody<"putKey">) => call("putKey", { params: { org_id: orgId }, body }),
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys.agentKeys(orgId) }),
    // The value is not kept anywhere in the page.
    gcTime: 0,
  });
}

/** Deletes a stored key. */
export function useDeleteKey(orgId: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (keyId: number) => call("deleteKey", { params: { org_id: orgId, key_id: keyId } }),
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys.agentKeys(orgId) }),
  });
}
