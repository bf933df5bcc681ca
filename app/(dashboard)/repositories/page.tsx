import { dehydrate, HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import { RepositoriesPage } from "#components/repositories/repositories-page.tsx";
import { requireSession } from "#components/session/read-session.ts";
import { repositoriesQuery } from "#lib/client/pages/queries.ts";
import { makeQueryClient } from "#lib/client/pages/query-client.ts";

export const metadata: Metadata = { title: "Repositories" };

export default async function Page() {
  const { organization, transport } = await requireSession("/repositories");
  const client = makeQueryClient();
  await client.prefetchQuery({ ...repositoriesQuery(organization.id, "", transport), retry: false });
  return (
    <HydrationBoundary state={dehydrate(client)}>
      <RepositoriesPage />
    </HydrationBoundary>
  );
}
