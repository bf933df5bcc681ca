"use client";

import { useQuery } from "@tanstack/react-query";
import { ShieldAlert } from "lucide-react";
import Link from "next/link";
import { DashboardPage } from "#components/page/dashboard-page.tsx";
import { useOrganization, useRefusal } from "#components/session/session.tsx";
import { ErrorState } from "#components/shell/error-state.tsx";
import { Loading } from "#components/shell/loading.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { describeError } from "#lib/client/client-error.ts";
import { webhookQuery } from "#lib/client/webhook-queries.ts";
import { DeliveriesSection } from "./deliveries-section.tsx";
import { WebhookForm } from "./webhook-form.tsx";

/** The organization's webhook, and deliveries to it and to those of runs. */
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
  const webhook = useQuery(webhookQuery(orgId));
  return (
    <>
      <p className="max-w-180 text-muted-foreground">
        Errand sends a signed request to your URL when something happens to a run. The{" "}
        <Link href="/docs#webhooks" className="text-link underline underline-offset-4">
          API docs
        </Link>{" "}
        show how to verify the signature.
      </p>
      {webhook.data === undefined ? (
        webhook.error === null ? (
          <Loading label="Loading the webhook" lines={4} className="px-0" />
        ) : (
          <ErrorState
            title="The webhook could not be loaded"
            {...describeError(webhook.error)}
            onRetry={() => void webhook.refetch()}
          />
        )
      ) : (
        <WebhookForm webhook={webhook.data} />
      )}
      <DeliveriesSection />
    </>
  );
}
