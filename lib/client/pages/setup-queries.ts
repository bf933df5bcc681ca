import { queryOptions } from "@tanstack/react-query";
import { browserTransport, call } from "#lib/client/request.ts";
import { queryKeys } from "./query-keys.ts";

/** Setup of a repository: the accepted one, and the last proposal. */
export function setupQuery(orgId: number, repoId: number, transport = browserTransport) {
  return queryOptions({
    queryKey: [...queryKeys.repositories(orgId), repoId, "setup"],
    queryFn: ({ signal }) => call("getSetup", { params: { org_id: orgId, repo_id: repoId }, signal }, transport),
  });
}
