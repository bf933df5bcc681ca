"use client";

import { DashboardPage } from "#components/page/dashboard-page.tsx";
import { useRefusal } from "#components/session/session.tsx";
import { NoPermissionState } from "#components/shell/page-states.tsx";
import { NewRunForm } from "./new-run-form.tsx";

/** The page that starts a run; `repoId` is the repository from its link, or null. */
export function NewRunPage({ repoId }: { repoId: number | null }) {
  const refusal = useRefusal("runs:write");
  if (refusal !== null) return <NoPermissionState detail={refusal} />;
  return (
    <DashboardPage title="New run" width="column">
      <NewRunForm repoId={repoId} />
    </DashboardPage>
  );
}
