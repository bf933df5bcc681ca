import { dehydrate, HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import { MembersPage } from "#components/people/members-page.tsx";
import { requireSession } from "#components/session/read-session.ts";
import { membersQuery } from "#lib/client/people-queries.ts";
import { makeQueryClient } from "#lib/client/query-client.ts";

export const metadata: Metadata = { title: "Members" };

export default async function Page() {
  const { organization, transport } = await requireSession("/settings/members");
  const client = makeQueryClient();
  await client.prefetchQuery({ ...membersQuery(organization.id, transport), retry: false });
  return (
    <HydrationBoundary state={dehydrate(client)}>
      <MembersPage />
    </HydrationBoundary>
  );
}
