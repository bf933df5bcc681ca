"use client";

import { useState } from "react";
import { ConfirmDialog } from "#components/page/confirm-dialog.tsx";
import { useSession } from "#components/session/session.tsx";
import { ErrorAlert } from "#components/ui/alert.tsx";
import { Button } from "#components/ui/button.tsx";
import { DialogCancel, DialogFooter, KeepOpen, TitledDialog } from "#components/ui/dialog.tsx";
import { toast } from "#components/ui/toast-store.ts";
import { describeError } from "#lib/client/client-error.ts";
import { useCreateReset, useRemoveMember, useUpdateMember } from "#lib/client/pages/people-mutations.ts";
import { resetHours } from "#lib/contract/bounds.ts";
import type { User } from "#lib/contract/people/organization.ts";
import { roles } from "#lib/contract/words.ts";
import { LinkOnce } from "./link-once.tsx";
import { nameOf } from "./name-of.ts";
import { RoleSelect } from "./role-select.tsx";
import { roleWithArticle } from "./role-words.ts";

type DialogProps = { orgId: number; member: User; onClose: () => void };

/** Changes a member's role. */
export function RoleDialog({ orgId, member, onClose }: DialogProps) {
  const { role: own, user } = useSession();
  const now = roles.find((option) => option === member.role) ?? "viewer";
  const [role, setRole] = useState(now);
  const update = useUpdateMember(orgId);
  const send = () =>
    update.mutate(
      { userId: member.id, body: { role } },
      {
        onSuccess: () => {
          toast({ title: "Role changed", description: `${nameOf(member)} is now ${roleWithArticle(role)}.` });
          onClose();
          // The person's own rights have changed: reload the page.
          if (member.id === user.id) window.location.reload();
        },
      },
    );
  return (
    <TitledDialog title={`Role of ${nameOf(member)}`} description="The change takes effect at once." onClose={onClose}>
      <KeepOpen while={update.isPending} />
      <RoleSelect value={role} roleMax={own} onChange={setRole} />
      {update.error !== null && <ErrorAlert title="The role was not changed" {...describeError(update.error)} />}
      <DialogFooter>
        <DialogCancel />
        <Button pending={update.isPending} onClick={role === now ? onClose : send}>
          Save role
        </Button>
      </DialogFooter>
    </TitledDialog>
  );
}

/** Confirms the removal of a member: says what ends and what stays. */
export function RemoveDialog({ orgId, member, onClose }: DialogProps) {
  const { user, organization } = useSession();
  const remove = useRemoveMember(orgId);
  const isSelf = member.id === user.id;
  const onConfirm = () =>
    remove.mutate(member.id, {
      onSuccess: () => {
        if (isSelf) return window.location.assign("/login");
        toast({ title: "Member removed", description: nameOf(member) });
        onClose();
      },
    });
  return (
    <ConfirmDialog
      title={isSelf ? `Leave ${organization.name}?` : `Remove ${nameOf(member)}?`}
      description={`${isSelf ? "Your access" : "Access"} ends within 5 seconds. Only a new invitation lets ${isSelf ? "you" : "them"} back in.`}
      action={isSelf ? "Leave" : "Remove"}
      mutation={remove}
      failure={isSelf ? "Could not leave" : `${nameOf(member)} was not removed`}
      {...{ onConfirm, onClose }}
    >
      <ul className="grid list-disc gap-1 pl-5 text-sm">
        <li>
          {isSelf ? "Your" : "Their"} API tokens, open invitations and links to shared runs in this organization stop
          working.
        </li>
        <li>
          {isSelf ? "Your" : "Their"} runs stay, with {isSelf ? "your" : "their"} name. Running ones continue: cancel
          them first if you do not want that.
        </li>
        <li>
          {isSelf ? "Your" : "Their"} messages that have not started are held until someone sends them. Queued runs with
          no other message are cancelled.
        </li>
      </ul>
    </ConfirmDialog>
  );
}

/** Creates a link for setting a member's new password. */
export function ResetDialog({ orgId, member, onClose }: DialogProps) {
  const reset = useCreateReset(orgId);
  if (reset.data !== undefined) {
    return (
      <TitledDialog title="Copy the reset link now" description="It will not be shown again." onClose={onClose} isKept>
        <LinkOnce url={reset.data.url} expiresAt={reset.data.expires_at} whom={nameOf(member)} onDone={onClose} />
      </TitledDialog>
    );
  }
  return (
    <ConfirmDialog
      title={`Reset the password of ${nameOf(member)}?`}
      description={`Creates a link for setting a new password, valid for ${resetHours} hours. The old password works until the link is used; then all their sessions end.`}
      action="Create link"
      isDestructive={false}
      mutation={reset}
      failure="The link could not be created"
      onConfirm={() => reset.mutate(member.id)}
      onClose={onClose}
    />
  );
}
