import { dehydrate, HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import { requireSession } from "#components/session/read-session.ts";
import { IntegrationsPage } from "#components/settings/integrations/integrations-page.tsx";
import { integrationsQuery } from "#lib/client/pages/integration-queries.ts";
import { makeQueryClient } from "#lib/client/pages/query-client.ts";

export const metadata: Metadata = { title: "Integrations" };

export default async function Page() {
  const { organization, transport } = await requireSession("/settings/integrations");
  const client = makeQueryClient();
  await client.prefetchQuery({ ...integrationsQuery(organization.id, transport), retry: false });
  return (
    <HydrationBoundary state={dehydrate(client)}>
      <IntegrationsPage />
    </HydrationBoundary>
  );
}
