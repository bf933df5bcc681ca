"use client";

import { useQuery } from "@tanstack/react-query";
import { ShieldAlert } from "lucide-react";
import Link from "next/link";
import { DashboardPage } from "#components/page/dashboard-page.tsx";
import { LoadedPart } from "#components/page/loaded-part.tsx";
import { useOrganization, useRefusal } from "#components/session/session.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { webhooksQuery } from "#lib/client/pages/webhook-queries.ts";
import { DeliveriesSection } from "./deliveries-section.tsx";
import { WebhookList } from "./webhook-list.tsx";

/** The organization's webhooks, and deliveries to them and to webhooks of runs. */
export function WebhooksPage() {
  const refusal = useRefusal("org:admin");
  return (
    <DashboardPage title="Webhooks">
      {refusal === null ? (
        <Webhooks />
      ) : (
        <EmptyState icon={<ShieldAlert />} title="Only owners and admins can manage webhooks" description={refusal} />
      )}
    </DashboardPage>
  );
}

function Webhooks() {
  const { id: orgId } = useOrganization();
  return (
    <>
      <p className="max-w-180 text-muted-foreground">
        Errand sends a signed request to each URL when something happens to a run. The{" "}
        <Link href="/docs#webhooks" className="text-link underline underline-offset-4">
          API docs
        </Link>{" "}
        show how to verify the signature.
      </p>
      <LoadedPart query={useQuery(webhooksQuery(orgId))} what="the webhooks" lines={4} heading="h2">
        {({ items }) => <WebhookList webhooks={items} />}
      </LoadedPart>
      <DeliveriesSection />
    </>
  );
}
