import type { Metadata } from "next";
import { requireSession } from "#components/session/read-session.ts";
import { NewOrganizationPage } from "#components/settings/organization/new-organization-page.tsx";
import { NoPermissionState } from "#components/shell/page-states.tsx";

export const metadata: Metadata = { title: "New organization" };

export default async function Page() {
  const { isInstanceOwner } = await requireSession("/settings/organization/new");
  if (!isInstanceOwner)
    return <NoPermissionState detail="Only the owner of this installation can create organizations." />;
  return <NewOrganizationPage />;
}
