import { dehydrate, HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import { requireSession } from "#components/session/read-session.ts";
import { AgentsPage } from "#components/settings/agents/agents-page.tsx";
import { agentsQuery } from "#lib/client/pages/queries.ts";
import { makeQueryClient } from "#lib/client/pages/query-client.ts";

export const metadata: Metadata = { title: "Agents" };

export default async function Page() {
  const { organization, transport } = await requireSession("/settings/agents");
  const client = makeQueryClient();
  await client.prefetchQuery({ ...agentsQuery(organization.id, transport), retry: false });
  return (
    <HydrationBoundary state={dehydrate(client)}>
      <AgentsPage />
    </HydrationBoundary>
  );
}
