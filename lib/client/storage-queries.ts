import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { queryKeys } from "./query-keys.ts";
import { browserTransport, type CallBody, call } from "./request.ts";

/** What takes how much on the disk. */
export function storageQuery(orgId: number, transport = browserTransport) {
  return queryOptions({
    queryKey: [...queryKeys.organization(orgId), "storage"],
    queryFn: ({ signal }) => call("getStorage", { params: { org_id: orgId }, signal }, transport),
  });
}

/** What settings for what is kept would remove now. */
export function keepPreviewQuery(orgId: number, changes: CallBody<"previewRetention">) {
  return queryOptions({
    queryKey: [...queryKeys.organization(orgId), "storage", "preview", changes],
    queryFn: ({ signal }) => call("previewRetention", { params: { org_id: orgId }, body: changes, signal }),
    placeholderData: keepPreviousData,
    // Asked anew each time: what was so before is not what somebody confirms.
    gcTime: 0,
  });
}
