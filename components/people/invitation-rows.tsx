"use client";

import { useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import { RelativeTime } from "#components/shell/relative-time.tsx";
import { ErrorAlert } from "#components/ui/alert.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { Button } from "#components/ui/button.tsx";
import { toast } from "#components/ui/toast-store.ts";
import { useKeptFocus } from "#components/ui/use-kept-focus.ts";
import { describeError } from "#lib/client/client-error.ts";
import { useWithdrawInvitation } from "#lib/client/pages/people-mutations.ts";
import { invitationsQuery } from "#lib/client/pages/people-queries.ts";
import type { Invitation } from "#lib/contract/people/invitation.ts";

/** Open invitations, each with a button to withdraw it. Nothing if there are none. */
export function InvitationRows({ orgId }: { orgId: number }) {
  const { data, error, refetch } = useQuery(invitationsQuery(orgId));
  const section = useRef<HTMLElement>(null);
  const keptFocus = useKeptFocus(section);
  if (error !== null && data === undefined) {
    return (
      <ErrorAlert
        title="The invitations could not be loaded"
        {...describeError(error)}
        onRetry={() => void refetch()}
      />
    );
  }
  if (data === undefined || data.items.length === 0) return null;
  return (
    <section
      ref={section}
      tabIndex={-1}
      aria-labelledby="invitations-title"
      className="grid grid-cols-[minmax(0,1fr)] gap-2 rounded-md pt-4"
      {...keptFocus}
    >
      <h2 id="invitations-title" className="font-semibold text-base/6">
        Open invitations
      </h2>
      <ul className="border-border border-t">
        {data.items.map((invitation) => (
          <InvitationRow key={invitation.id} {...{ orgId, invitation }} />
        ))}
      </ul>
    </section>
  );
}

function InvitationRow({ orgId, invitation }: { orgId: number; invitation: Invitation }) {
  const withdraw = useWithdrawInvitation(orgId);
  const name = invitation.note ?? `Link ending in ${invitation.hint}`;
  return (
    <li className="grid grid-cols-[minmax(0,1fr)] gap-2 border-border border-b px-2 py-2">
      <div className="flex items-center gap-3">
        <div className="min-w-0 flex-1">
          <p className="flex min-w-0 items-center gap-2">
            <span className="min-w-0 truncate font-medium">{name}</span>
            <Badge variant="outline">{invitation.role}</Badge>
          </p>
          <p className="text-[13px] text-muted-foreground">
            Expires <RelativeTime at={invitation.expires_at} />
            {invitation.user_name !== null && `, invited by ${invitation.user_name}`}
          </p>
        </div>
        <Button
          variant="outline"
          size="sm"
          aria-label={`Withdraw the invitation: ${name}`}
          pending={withdraw.isPending}
          onClick={() =>
            // Not a callback of mutate, which is not called once the row is gone.
            withdraw.mutateAsync(invitation.id).then(
              () => toast({ title: "Invitation withdrawn", description: name }),
              () => {},
            )
          }
        >
          Withdraw
        </Button>
      </div>
      {withdraw.error !== null && (
        <ErrorAlert title="The invitation was not withdrawn" {...describeError(withdraw.error)} />
      )}
    </li>
  );
}
