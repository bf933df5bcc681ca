import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { browserTransport, call } from "#lib/client/request.ts";
import { queryKeys } from "./query-keys.ts";

/** The signed-in person, and the organization they see. */
export function sessionQuery(transport = browserTransport) {
  return queryOptions({
    queryKey: queryKeys.session,
    queryFn: ({ signal }) => call("getSession", { signal }, transport),
    staleTime: 60_000,
  });
}

/** Organizations of the signed-in person. */
export function organizationsQuery(transport = browserTransport) {
  return queryOptions({
    queryKey: queryKeys.organizations,
    queryFn: ({ signal }) => call("listOrganizations", { query: { limit: 100 }, signal }, transport),
    staleTime: 60_000,
  });
}

/** Repositories by name, the first hundred that contain `text` in name or source. */
export function repositoriesQuery(orgId: number, text = "", transport = browserTransport) {
  const q = text.trim() === "" ? undefined : text.trim().slice(0, 200);
  return queryOptions({
    queryKey: [...queryKeys.repositories(orgId), "list", q ?? ""],
    queryFn: ({ signal }) =>
      call("listRepositories", { params: { org_id: orgId }, query: { q, limit: 100 }, signal }, transport),
  });
}

/** One repository. */
export function repositoryQuery(orgId: number, repoId: number, transport = browserTransport) {
  return queryOptions({
    queryKey: [...queryKeys.repositories(orgId), repoId],
    queryFn: ({ signal }) => call("getRepository", { params: { org_id: orgId, repo_id: repoId }, signal }, transport),
  });
}

/** A repository's branches, as they are in its source now. */
export function branchesQuery(orgId: number, repoId: number) {
  return queryOptions({
    queryKey: [...queryKeys.repositories(orgId), repoId, "branches"],
    queryFn: ({ signal }) => call("listBranches", { params: { org_id: orgId, repo_id: repoId }, signal }),
    staleTime: 30_000,
  });
}

/** The agents, ready ones first. */
export function agentsQuery(orgId: number, transport = browserTransport) {
  return queryOptions({
    queryKey: queryKeys.agents(orgId),
    queryFn: ({ signal }) => call("listAgents", { params: { org_id: orgId }, signal }, transport),
    staleTime: 15_000,
  });
}

/** The API tokens, newest first. */
export function tokensQuery(orgId: number, page: number, transport = browserTransport) {
  return queryOptions({
    queryKey: [...queryKeys.tokens(orgId), page],
    queryFn: ({ signal }) =>
      call("listTokens", { params: { org_id: orgId }, query: { page, limit: 100 }, signal }, transport),
    placeholderData: keepPreviousData,
  });
}
