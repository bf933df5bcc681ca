import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { type CallBody, call } from "#lib/client/request.ts";
import type { IntegrationType } from "#lib/contract/integrations/integration.ts";
import { queryKeys } from "./query-keys.ts";

/** Linked people of a connected service. */
export function linksQuery(orgId: number, type: IntegrationType) {
  return queryOptions({
    queryKey: [...queryKeys.organization(orgId), "integrations", type, "links"],
    queryFn: ({ signal }) => call("listLinks", { params: { org_id: orgId, type }, signal }),
  });
}

/** Creates a code that links the caller. */
export function useCreateLinkCode(orgId: number, type: IntegrationType) {
  return useMutation({ mutationFn: () => call("createLinkCode", { params: { org_id: orgId, type } }) });
}

/** Links a person to a member. */
export function usePutLink(orgId: number, type: IntegrationType) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: CallBody<"putLink">) => call("putLink", { params: { org_id: orgId, type }, body }),
    onSuccess: () => client.invalidateQueries({ queryKey: linksQuery(orgId, type).queryKey }),
  });
}

/** Removes a link. */
export function useDeleteLink(orgId: number, type: IntegrationType) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (externalId: string) =>
      call("deleteLink", { params: { org_id: orgId, type, external_id: externalId } }),
    onSuccess: () => client.invalidateQueries({ queryKey: linksQuery(orgId, type).queryKey }),
  });
}
