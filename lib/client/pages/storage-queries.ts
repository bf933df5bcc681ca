import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { browserTransport, type CallBody, call } from "#lib/client/request.ts";
import { queryKeys } from "./query-keys.ts";

/** Disk use of the organization. */
export function storageQuery(orgId: number, transport = browserTransport) {
  return queryOptions({
    queryKey: [...queryKeys.organization(orgId), "storage"],
    queryFn: ({ signal }) => call("getStorage", { params: { org_id: orgId }, signal }, transport),
  });
}

/** What given retention settings would remove now. */
export function keepPreviewQuery(orgId: number, changes: CallBody<"previewRetention">) {
  return queryOptions({
    queryKey: [...queryKeys.organization(orgId), "storage", "preview", changes],
    queryFn: ({ signal }) => call("previewRetention", { params: { org_id: orgId }, body: changes, signal }),
    placeholderData: keepPreviousData,
    // Read again each time, so that nobody confirms an outdated preview.
    gcTime: 0,
  });
}
