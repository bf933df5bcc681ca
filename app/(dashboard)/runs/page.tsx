import { dehydrate, HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import { RunsPage } from "#components/runs/runs-page.tsx";
import { requireSession } from "#components/session/read-session.ts";
import { makeQueryClient } from "#lib/client/pages/query-client.ts";
import { parseRunFilter, runFilterSearch } from "#lib/client/pages/run-filter.ts";
import { runsQuery } from "#lib/client/pages/run-list-queries.ts";

export const metadata: Metadata = { title: "Runs" };

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> };

export default async function Page({ searchParams }: Props) {
  const search = await searchParams;
  const filter = parseRunFilter({
    get: (name) => {
      const value = search[name];
      return (Array.isArray(value) ? value.join(",") : value) ?? null;
    },
  });
  const { organization, transport } = await requireSession(runsPath(runFilterSearch(filter)));
  const client = makeQueryClient();
  // Errors are not passed on: the browser requests the data again, and shows any error with a retry button.
  await client.prefetchInfiniteQuery({ ...runsQuery(organization.id, filter, transport), retry: false });
  return (
    <HydrationBoundary state={dehydrate(client)}>
      <RunsPage />
    </HydrationBoundary>
  );
}

function runsPath(search: string): string {
  return search === "" ? "/runs" : `/runs?${search}`;
}
