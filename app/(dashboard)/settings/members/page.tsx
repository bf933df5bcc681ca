import { dehydrate, HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import { MembersPage } from "#components/people/members-page.tsx";
import { requireSession } from "#components/session/read-session.ts";
import { parsePageNumber } from "#lib/client/pages/page-number.ts";
import { membersQuery } from "#lib/client/pages/people-queries.ts";
import { makeQueryClient } from "#lib/client/pages/query-client.ts";

export const metadata: Metadata = { title: "Members" };

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> };

export default async function Page({ searchParams }: Props) {
  const page = parsePageNumber((await searchParams).page);
  const { organization, transport } = await requireSession(
    page === 1 ? "/settings/members" : `/settings/members?page=${page}`,
  );
  const client = makeQueryClient();
  await client.prefetchQuery({ ...membersQuery(organization.id, page, transport), retry: false });
  return (
    <HydrationBoundary state={dehydrate(client)}>
      <MembersPage />
    </HydrationBoundary>
  );
}
