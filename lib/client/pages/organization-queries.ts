import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { browserTransport, call, callTagged, operationPath } from "#lib/client/request.ts";
import { type AuditSearch, auditFilterOf } from "./audit-search.ts";
import { queryKeys } from "./query-keys.ts";

/** The settings of an organization, with their ETag. */
export function settingsQuery(orgId: number, transport = browserTransport) {
  return queryOptions({
    queryKey: [...queryKeys.organization(orgId), "settings"],
    queryFn: ({ signal }) => callTagged("getSettings", { params: { org_id: orgId }, signal }, transport),
  });
}

const auditRows = 50;

/** A page of the audit log. */
export function auditQuery(orgId: number, search: AuditSearch, transport = browserTransport) {
  return queryOptions({
    queryKey: [...queryKeys.organization(orgId), "audit", search],
    queryFn: ({ signal }) => {
      const query = { ...auditFilterOf(search), page: search.page, size: auditRows };
      return call("listAudit", { params: { org_id: orgId }, query, signal }, transport);
    },
    placeholderData: keepPreviousData,
  });
}

/** Address of a file with all matches. */
export function auditFile(orgId: number, search: AuditSearch, format: "jsonl" | "csv"): string {
  return operationPath("listAudit", { params: { org_id: orgId }, query: { ...auditFilterOf(search), format } });
}
