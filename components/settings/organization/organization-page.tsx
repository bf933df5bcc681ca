"use client";

import { useQuery } from "@tanstack/react-query";
import { DashboardPage } from "#components/page/dashboard-page.tsx";
import { useOrganization } from "#components/session/session.tsx";
import { ErrorState } from "#components/shell/error-state.tsx";
import { Loading } from "#components/shell/loading.tsx";
import { describeError } from "#lib/client/client-error.ts";
import { settingsQuery } from "#lib/client/organization-queries.ts";
import { OrganizationForm } from "./organization-form.tsx";

/** Settings for all runs of the organization. */
export function OrganizationPage() {
  const { id: orgId } = useOrganization();
  const settings = useQuery(settingsQuery(orgId));
  return (
    <DashboardPage title="Organization">
      {settings.data === undefined ? (
        settings.error === null ? (
          <Loading label="Loading the settings" lines={6} className="px-0" />
        ) : (
          <ErrorState
            title="The settings could not be loaded"
            {...describeError(settings.error)}
            onRetry={() => void settings.refetch()}
          />
        )
      ) : (
        <div className="max-w-180">
          <OrganizationForm orgId={orgId} settings={settings.data} />
        </div>
      )}
    </DashboardPage>
  );
}
