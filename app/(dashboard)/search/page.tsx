import { dehydrate, HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import { SearchPage } from "#components/search/search-page.tsx";
import { requireSession } from "#components/session/read-session.ts";
import { makeQueryClient } from "#lib/client/pages/query-client.ts";
import { parseSearchFilter, searchFilterSearch } from "#lib/client/pages/search-filter.ts";
import { searchQuery } from "#lib/client/pages/search-queries.ts";

export const metadata: Metadata = { title: "Search" };

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> };

export default async function Page({ searchParams }: Props) {
  const search = await searchParams;
  const filter = parseSearchFilter({
    get: (name) => {
      const value = search[name];
      return (Array.isArray(value) ? value.join(",") : value) ?? null;
    },
  });
  const query = searchFilterSearch(filter);
  const { organization, transport } = await requireSession(query === "" ? "/search" : `/search?${query}`);
  const client = makeQueryClient();
  // Errors are not passed on: the browser requests the data again, and shows any error with a retry button.
  if (filter.text.trim() !== "") {
    await client.prefetchInfiniteQuery({ ...searchQuery(organization.id, filter, transport), retry: false });
  }
  return (
    <HydrationBoundary state={dehydrate(client)}>
      <SearchPage />
    </HydrationBoundary>
  );
}
