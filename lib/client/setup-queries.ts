import { queryOptions } from "@tanstack/react-query";
import { getSetup } from "#lib/contract/setup.ts";
import { queryKeys } from "./query-keys.ts";
import { browserTransport, call } from "./request.ts";

/** The setup of a repository: what was accepted, and the last proposal. */
export function setupQuery(orgId: number, repoId: number, transport = browserTransport) {
  return queryOptions({
    queryKey: [...queryKeys.repositories(orgId), repoId, "setup"],
    queryFn: ({ signal }) => call(getSetup, { params: { org_id: orgId, repo_id: repoId }, signal }, transport),
  });
}
