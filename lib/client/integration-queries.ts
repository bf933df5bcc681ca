import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { IntegrationStatus, IntegrationType, OrganizationIntegrations } from "#lib/contract/integration.ts";
import { queryKeys } from "./query-keys.ts";
import { browserTransport, type CallBody, call } from "./request.ts";

/** Every integration of the organization, connected or not. */
export function integrationsQuery(orgId: number, transport = browserTransport) {
  return queryOptions({
    queryKey: [...queryKeys.organization(orgId), "integrations"],
    queryFn: ({ signal }) => call("listIntegrations", { params: { org_id: orgId }, signal }, transport),
  });
}

/** Connects an integration or changes it; fields left out stay. */
export function usePutIntegration(orgId: number, type: IntegrationType | "mcp") {
  const keep = useKeepIntegration(orgId);
  return useMutation({
    mutationFn: (body: CallBody<"putIntegration">) => call("putIntegration", { params: { org_id: orgId, type }, body }),
    onSuccess: keep,
  });
}

/** Asks the service whether the secret works now. */
export function useTestIntegration(orgId: number) {
  const keep = useKeepIntegration(orgId);
  return useMutation({
    mutationFn: (type: string) => call("testIntegration", { params: { org_id: orgId, type } }),
    onSuccess: keep,
  });
}

/** Disconnects an integration; its secrets are deleted. */
export function useDeleteIntegration(orgId: number) {
  const keep = useKeepIntegration(orgId);
  return useMutation({
    mutationFn: (type: string) => call("deleteIntegration", { params: { org_id: orgId, type } }),
    onSuccess: keep,
  });
}

function useKeepIntegration(orgId: number) {
  const client = useQueryClient();
  return (changed: IntegrationStatus) => {
    const { queryKey } = integrationsQuery(orgId);
    client.setQueryData<OrganizationIntegrations>(queryKey, (listed) =>
      listed === undefined
        ? undefined
        : {
            ...listed,
            integrations: listed.integrations.map((one) =>
              one.integration_type === changed.integration_type ? changed : one,
            ),
          },
    );
    return client.invalidateQueries({ queryKey });
  };
}
