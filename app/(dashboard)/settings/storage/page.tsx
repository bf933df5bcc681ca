import { dehydrate, HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import { requireSession } from "#components/session/read-session.ts";
import { StoragePage } from "#components/settings/storage/storage-page.tsx";
import { settingsQuery } from "#lib/client/pages/organization-queries.ts";
import { makeQueryClient } from "#lib/client/pages/query-client.ts";
import { storageQuery } from "#lib/client/pages/storage-queries.ts";

export const metadata: Metadata = { title: "Storage" };

export default async function Page() {
  const { organization, transport } = await requireSession("/settings/storage");
  const client = makeQueryClient();
  const { id } = organization;
  await Promise.all([
    client.prefetchQuery({ ...storageQuery(id, transport), retry: false }),
    client.prefetchQuery({ ...settingsQuery(id, transport), retry: false }),
  ]);
  return (
    <HydrationBoundary state={dehydrate(client)}>
      <StoragePage />
    </HydrationBoundary>
  );
}
