import { dehydrate, HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import { requireSession } from "#components/session/read-session.ts";
import { TokensPage } from "#components/settings/tokens-page.tsx";
import { tokensQuery } from "#lib/client/queries.ts";
import { makeQueryClient } from "#lib/client/query-client.ts";

export const metadata: Metadata = { title: "API tokens" };

export default async function Page() {
  const { organization, transport } = await requireSession("/settings/tokens");
  const client = makeQueryClient();
  await client.prefetchQuery({ ...tokensQuery(organization.id, transport), retry: false });
  return (
    <HydrationBoundary state={dehydrate(client)}>
      <TokensPage />
    </HydrationBoundary>
  );
}
