import { dehydrate, HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import { requireSession } from "#components/session/read-session.ts";
import { OrganizationPage } from "#components/settings/organization/organization-page.tsx";
import { settingsQuery } from "#lib/client/pages/organization-queries.ts";
import { agentsQuery } from "#lib/client/pages/queries.ts";
import { makeQueryClient } from "#lib/client/pages/query-client.ts";

export const metadata: Metadata = { title: "Organization" };

export default async function Page() {
  const { organization, transport } = await requireSession("/settings/organization");
  const client = makeQueryClient();
  await Promise.all([
    client.prefetchQuery({ ...settingsQuery(organization.id, transport), retry: false }),
    client.prefetchQuery({ ...agentsQuery(organization.id, transport), retry: false }),
  ]);
  return (
    <HydrationBoundary state={dehydrate(client)}>
      <OrganizationPage />
    </HydrationBoundary>
  );
}
