import { dehydrate, HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import { requireSession } from "#components/session/read-session.ts";
import { TokensPage } from "#components/settings/tokens-page.tsx";
import { parsePageNumber } from "#lib/client/pages/page-number.ts";
import { tokensQuery } from "#lib/client/pages/queries.ts";
import { makeQueryClient } from "#lib/client/pages/query-client.ts";

export const metadata: Metadata = { title: "API tokens" };

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> };

export default async function Page({ searchParams }: Props) {
  const page = parsePageNumber((await searchParams).page);
  const { organization, transport } = await requireSession(
    page === 1 ? "/settings/tokens" : `/settings/tokens?page=${page}`,
  );
  const client = makeQueryClient();
  await client.prefetchQuery({ ...tokensQuery(organization.id, page, transport), retry: false });
  return (
    <HydrationBoundary state={dehydrate(client)}>
      <TokensPage />
    </HydrationBoundary>
  );
}
