import { queryOptions } from "@tanstack/react-query";
import { queryKeys } from "./query-keys.ts";
import { browserTransport, call } from "./request.ts";

/** Setup of a repository: the accepted one, and the last proposal. */
export function setupQuery(orgId: number, repoId: number, transport = browserTransport) {
  return queryOptions({
    queryKey: [...queryKeys.repositories(orgId), repoId, "setup"],
    queryFn: ({ signal }) => call("getSetup", { params: { org_id: orgId, repo_id: repoId }, signal }, transport),
  });
}
