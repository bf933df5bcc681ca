import { dehydrate, HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import { requireSession } from "#components/session/read-session.ts";
import { WebhooksPage } from "#components/settings/webhooks/webhooks-page.tsx";
import { makeQueryClient } from "#lib/client/pages/query-client.ts";
import { webhooksQuery } from "#lib/client/pages/webhook-queries.ts";

export const metadata: Metadata = { title: "Webhooks" };

export default async function Page() {
  const { organization, transport } = await requireSession("/settings/webhooks");
  const client = makeQueryClient();
  await client.prefetchQuery({ ...webhooksQuery(organization.id, transport), retry: false });
  return (
    <HydrationBoundary state={dehydrate(client)}>
      <WebhooksPage />
    </HydrationBoundary>
  );
}
