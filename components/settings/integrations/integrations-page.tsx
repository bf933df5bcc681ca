"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { DashboardPage } from "#components/page/dashboard-page.tsx";
import { useOrganization } from "#components/session/session.tsx";
import { ErrorState } from "#components/shell/error-state.tsx";
import { Loading } from "#components/shell/loading.tsx";
import { describeError } from "#lib/client/client-error.ts";
import { integrationsQuery } from "#lib/client/integration-queries.ts";
import type { IntegrationStatus } from "#lib/contract/integration.ts";
import { ConnectDialog } from "./connect-dialog.tsx";
import { DisconnectDialog } from "./disconnect-dialog.tsx";
import { IntegrationRow } from "./integration-row.tsx";
import { OtherIntegrations } from "./other-integrations.tsx";
import { PeopleDialog } from "./people-dialog.tsx";

/** Integrations of the organization: code hosts, chats, trackers. */
export function IntegrationsPage() {
  const { id: orgId } = useOrganization();
  const integrations = useQuery(integrationsQuery(orgId));
  const [connected, setConnected] = useState<IntegrationStatus | null>(null);
  const [people, setPeople] = useState<IntegrationStatus | null>(null);
  const [disconnected, setDisconnected] = useState<IntegrationStatus | null>(null);
  const listed = integrations.data?.integrations ?? [];
  return (
    <DashboardPage title="Integrations">
      <p className="max-w-180 text-muted-foreground">
        Once a service is connected, people can mention <code className="text-[13px]">@errand</code> where they already
        talk: in an issue, a pull request or a channel. Errand starts a run and answers there.
      </p>
      {integrations.data === undefined ? (
        integrations.error === null ? (
          <Loading label="Loading integrations" lines={5} className="px-0" />
        ) : (
          <ErrorState
            title="The integrations could not be loaded"
            {...describeError(integrations.error)}
            onRetry={() => void integrations.refetch()}
          />
        )
      ) : (
        <>
          <ul aria-label="Integrations" className="border-border border-t">
            {listed
              .filter(({ metadata }) => metadata.connected !== undefined)
              .map((integration) => (
                <IntegrationRow
                  key={integration.integration_type}
                  integration={integration}
                  onPeople={() => setPeople(integration)}
                  onConnect={() => setConnected(integration)}
                  onDisconnect={() => setDisconnected(integration)}
                />
              ))}
          </ul>
          <OtherIntegrations listed={listed} />
        </>
      )}
      <ConnectDialog integration={connected} onClose={() => setConnected(null)} />
      <PeopleDialog integration={people} onClose={() => setPeople(null)} />
      {disconnected !== null && <DisconnectDialog integration={disconnected} onClose={() => setDisconnected(null)} />}
    </DashboardPage>
  );
}
