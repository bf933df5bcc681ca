import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { browserTransport, type CallBody, call } from "#lib/client/request.ts";
import type {
  IntegrationStatus,
  IntegrationType,
  OrganizationIntegrations,
} from "#lib/contract/integrations/integration.ts";
import { queryKeys } from "./query-keys.ts";

/** Every integration of the organization, connected or not. */
export function integrationsQuery(orgId: number, transport = browserTransport) {
  return queryOptions({
    queryKey: [...queryKeys.organization(orgId), "integrations"],
    queryFn: ({ signal }) => call("listIntegrations", { params: { org_id: orgId }, signal }, transport),
  });
}

/**
 * Connects an integration or changes it; fields left out stay. Because its settings and servers are replaced as a whole, the
 * request is made from the integration as it is now, so that nothing that others saved meanwhile is undone.
 */
export function usePutIntegration(orgId: number, type: IntegrationType | "mcp") {
  const client = useQueryClient();
  const keep = useKeepIntegration(orgId);
  return useMutation({
    mutationFn: async (bodyFor: (now: IntegrationStatus | undefined) => CallBody<"putIntegration">) => {
      const { integrations } = await client.fetchQuery({ ...integrationsQuery(orgId), staleTime: 0, retry: false });
      const body = bodyFor(integrations.find(({ integration_type }) => integration_type === type));
      return await call("putIntegration", { params: { org_id: orgId, type }, body });
    },
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
