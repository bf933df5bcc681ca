import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { IntegrationType } from "#lib/contract/integration.ts";
import { createLinkCode, deleteLink, listLinks, putLink } from "#lib/contract/link.ts";
import type { BodyInputOf } from "#lib/contract/operation.ts";
import { queryKeys } from "./query-keys.ts";
import { call } from "./request.ts";

/** Who is who in a connected service. */
export function linksQuery(orgId: number, type: IntegrationType) {
  return queryOptions({
    queryKey: [...queryKeys.organization(orgId), "integrations", type, "links"],
    queryFn: ({ signal }) => call(listLinks, { params: { org_id: orgId, type }, signal }),
  });
}

/** Makes a code that links the caller. */
export function useCreateLinkCode(orgId: number, type: IntegrationType) {
  return useMutation({ mutationFn: () => call(createLinkCode, { params: { org_id: orgId, type } }) });
}

/** Links somebody to a member. */
export function usePutLink(orgId: number, type: IntegrationType) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: BodyInputOf<typeof putLink>) => call(putLink, { params: { org_id: orgId, type }, body }),
    onSuccess: () => client.invalidateQueries({ queryKey: linksQuery(orgId, type).queryKey }),
  });
}

/** Ends a link. */
export function useDeleteLink(orgId: number, type: IntegrationType) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (externalId: string) => call(deleteLink, { params: { org_id: orgId, type, external_id: externalId } }),
    onSuccess: () => client.invalidateQueries({ queryKey: linksQuery(orgId, type).queryKey }),
  });
}
