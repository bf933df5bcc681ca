import { dehydrate, HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import { requireSession } from "#components/session/read-session.ts";
import { IsolationPage } from "#components/settings/isolation/isolation-page.tsx";
import { isolationQuery, networkQuery, recentDenialsQuery } from "#lib/client/pages/isolation-queries.ts";
import { settingsQuery } from "#lib/client/pages/organization-queries.ts";
import { agentsQuery } from "#lib/client/pages/queries.ts";
import { makeQueryClient } from "#lib/client/pages/query-client.ts";

export const metadata: Metadata = { title: "Isolation" };

export default async function Page() {
  const { organization, transport } = await requireSession("/settings/isolation");
  const client = makeQueryClient();
  const { id } = organization;
  await Promise.all([
    client.prefetchQuery({ ...isolationQuery(id, transport), retry: false }),
    client.prefetchQuery({ ...agentsQuery(id, transport), retry: false }),
    client.prefetchQuery({ ...settingsQuery(id, transport), retry: false }),
    client.prefetchQuery({ ...networkQuery(id, transport), retry: false }),
    client.prefetchQuery({ ...recentDenialsQuery({ orgId: id, repoId: null }, transport), retry: false }),
  ]);
  return (
    <HydrationBoundary state={dehydrate(client)}>
      <IsolationPage />
    </HydrationBoundary>
  );
}
