import { dehydrate, HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import { NewRunPage } from "#components/runs/new/new-run-page.tsx";
import { requireSession } from "#components/session/read-session.ts";
import { settingsQuery } from "#lib/client/pages/organization-queries.ts";
import { agentsQuery, repositoriesQuery } from "#lib/client/pages/queries.ts";
import { makeQueryClient } from "#lib/client/pages/query-client.ts";

export const metadata: Metadata = { title: "New run" };

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> };

export default async function Page({ searchParams }: Props) {
  const { repo_id } = await searchParams;
  const repoId = Number(repo_id);
  const isGiven = Number.isSafeInteger(repoId) && repoId > 0;
  const { organization, transport } = await requireSession(isGiven ? `/runs/new?repo_id=${repoId}` : "/runs/new");
  const client = makeQueryClient();
  await Promise.all([
    client.prefetchQuery({ ...agentsQuery(organization.id, transport), retry: false }),
    client.prefetchQuery({ ...settingsQuery(organization.id, transport), retry: false }),
    client.prefetchQuery({ ...repositoriesQuery(organization.id, "", transport), retry: false }),
  ]);
  return (
    <HydrationBoundary state={dehydrate(client)}>
      <NewRunPage repoId={isGiven ? repoId : null} />
    </HydrationBoundary>
  );
}
