import { dehydrate, HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import { RepositoryPage } from "#components/repositories/repository-page.tsx";
import { requireSession } from "#components/session/read-session.ts";
import { NotFoundState } from "#components/shell/page-states.tsx";
import { networkQuery, recentDenialsQuery, repositoryNetworkQuery } from "#lib/client/pages/isolation-queries.ts";
import { checkSettingsQuery, pullSettingsQuery } from "#lib/client/pages/pull-queries.ts";
import { repositoryQuery } from "#lib/client/pages/queries.ts";
import { makeQueryClient } from "#lib/client/pages/query-client.ts";
import { setupQuery } from "#lib/client/pages/setup-queries.ts";

export const metadata: Metadata = { title: "Repository" };

export default async function Page({ params }: PageProps<"/repositories/[repo_id]">) {
  const given = (await params).repo_id;
  const repoId = /^\d{1,15}$/.test(given) ? Number(given) : 0;
  if (repoId === 0) return <NotFoundState what="repository" back={{ label: "Repositories", href: "/repositories" }} />;
  const { organization, transport } = await requireSession(`/repositories/${repoId}`);
  const client = makeQueryClient();
  await Promise.all([
    client.prefetchQuery({ ...repositoryQuery(organization.id, repoId, transport), retry: false }),
    client.prefetchQuery({ ...setupQuery(organization.id, repoId, transport), retry: false }),
    client.prefetchQuery({ ...pullSettingsQuery(organization.id, repoId, transport), retry: false }),
    client.prefetchQuery({ ...checkSettingsQuery(organization.id, repoId, transport), retry: false }),
    client.prefetchQuery({ ...networkQuery(organization.id, transport), retry: false }),
    client.prefetchQuery({ ...repositoryNetworkQuery(organization.id, repoId, transport), retry: false }),
    client.prefetchQuery({ ...recentDenialsQuery({ orgId: organization.id, repoId }, transport), retry: false }),
  ]);
  return (
    <HydrationBoundary state={dehydrate(client)}>
      <RepositoryPage repoId={repoId} />
    </HydrationBoundary>
  );
}
