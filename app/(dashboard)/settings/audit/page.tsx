import { dehydrate, HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import { requireSession } from "#components/session/read-session.ts";
import { AuditPage } from "#components/settings/audit/audit-page.tsx";
import { auditSearchQuery, parseAuditSearch } from "#lib/client/pages/audit-search.ts";
import { auditQuery } from "#lib/client/pages/organization-queries.ts";
import { makeQueryClient } from "#lib/client/pages/query-client.ts";

export const metadata: Metadata = { title: "Audit log" };

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> };

export default async function Page({ searchParams }: Props) {
  const given = await searchParams;
  const search = parseAuditSearch({
    get(name) {
      const value = given[name];
      return typeof value === "string" ? value : null;
    },
  });
  const query = auditSearchQuery(search);
  const path = `/settings/audit${query === "" ? "" : `?${query}`}`;
  const { organization, transport } = await requireSession(path);
  const client = makeQueryClient();
  await client.prefetchQuery({ ...auditQuery(organization.id, search, transport), retry: false });
  return (
    <HydrationBoundary state={dehydrate(client)}>
      <AuditPage />
    </HydrationBoundary>
  );
}
