import { dehydrate, HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import { ProfilePage } from "#components/people/profile-page.tsx";
import { requireSession } from "#components/session/read-session.ts";
import { cliRulesQuery, meQuery, sessionsQuery } from "#lib/client/pages/people-queries.ts";
import { makeQueryClient } from "#lib/client/pages/query-client.ts";

export const metadata: Metadata = { title: "Profile" };

export default async function Page() {
  const { transport, organization } = await requireSession("/settings/profile");
  const client = makeQueryClient();
  await Promise.all([
    client.prefetchQuery({ ...sessionsQuery(transport), retry: false }),
    client.prefetchQuery({ ...cliRulesQuery(organization.id, transport), retry: false }),
    client.prefetchQuery({ ...meQuery(transport), retry: false }),
  ]);
  return (
    <HydrationBoundary state={dehydrate(client)}>
      <ProfilePage />
    </HydrationBoundary>
  );
}
