"use client";

import { useQuery } from "@tanstack/react-query";
import { UserRoundPlus } from "lucide-react";
import { useState } from "react";
import { DashboardPage } from "#components/page/dashboard-page.tsx";
import { LoadedPart } from "#components/page/loaded-part.tsx";
import { PageTurner, usePageNumber } from "#components/page/page-turner.tsx";
import { useSession } from "#components/session/session.tsx";
import { formatCount } from "#components/shell/format-number.ts";
import { Button } from "#components/ui/button.tsx";
import { membersQuery } from "#lib/client/pages/people-queries.ts";
import { isAtLeast } from "#lib/contract/people/role-scopes.ts";
import { InvitationRows } from "./invitation-rows.tsx";
import { InviteDialog } from "./invite-dialog.tsx";
import { MemberRows } from "./member-rows.tsx";

/** People of the organization, and for admins the invitations. */
export function MembersPage() {
  const { organization, role } = useSession();
  const [page, turnTo] = usePageNumber();
  const members = useQuery(membersQuery(organization.id, page));
  const [isInviting, setInviting] = useState(false);
  const isAdmin = isAtLeast(role, "admin");
  return (
    <DashboardPage
      title="Members"
      note={members.data === undefined ? undefined : formatCount(members.data.total)}
      actions={
        isAdmin && (
          <Button onClick={() => setInviting(true)}>
            <UserRoundPlus aria-hidden /> Invite
          </Button>
        )
      }
    >
      <LoadedPart query={members} what="the members" lines={3} heading="h2">
        {({ items, pages }) => (
          <>
            <MemberRows orgId={organization.id} members={items} />
            <PageTurner label="Pages of members" page={page} pages={pages} onTurn={turnTo} />
          </>
        )}
      </LoadedPart>
      {isAdmin && <InvitationRows orgId={organization.id} />}
      {isInviting && <InviteDialog orgId={organization.id} onClose={() => setInviting(false)} />}
    </DashboardPage>
  );
}
