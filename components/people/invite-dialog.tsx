"use client";

import { type FormEvent, useState } from "react";
import { useSession } from "#components/session/session.tsx";
import { ErrorAlert } from "#components/ui/alert.tsx";
import { Button } from "#components/ui/button.tsx";
import {
  Dialog,
  DialogContent,
  DialogDescription,
  DialogFooter,
  DialogHeader,
  DialogTitle,
} from "#components/ui/dialog.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { LifetimeField } from "#components/ui/lifetime-field.tsx";
import { describeError, fieldMessages } from "#lib/client/client-error.ts";
import { useCreateInvitation } from "#lib/client/people-mutations.ts";
import { invitationDaysDefault } from "#lib/contract/bounds.ts";
import type { CreatedInvitation } from "#lib/contract/invitation.ts";
import type { Role } from "#lib/contract/organization.ts";
import { weakerRole } from "#lib/contract/role-scopes.ts";
import { LinkOnce } from "./link-once.tsx";
import { RoleSelect } from "./role-select.tsx";

type InviteDialogProps = { orgId: number; open: boolean; onClose: () => void };

/** Creates an invitation, and shows its link once. */
export function InviteDialog({ orgId, open, onClose }: InviteDialogProps) {
  return (
    <Dialog open={open} onOpenChange={(isOpen) => !isOpen && onClose()}>
      {/* Mounted only while open: closing it discards the link. A click outside must not lose it. */}
      <DialogContent onInteractOutside={(event) => event.preventDefault()}>
        <Steps orgId={orgId} onDone={onClose} />
      </DialogContent>
    </Dialog>
  );
}

function Steps({ orgId, onDone }: { orgId: number; onDone: () => void }) {
  const [created, setCreated] = useState<CreatedInvitation | null>(null);
  if (created !== null) {
    return (
      <>
        <DialogHeader>
          <DialogTitle>Copy the invitation now</DialogTitle>
          <DialogDescription>It will not be shown again.</DialogDescription>
        </DialogHeader>
        <LinkOnce
          url={created.url}
          expiresAt={created.expires_at}
          whom={created.note ?? "one person"}
          onDone={onDone}
        />
      </>
    );
  }
  return (
    <>
      <DialogHeader>
        <DialogTitle>Invite someone</DialogTitle>
        <DialogDescription>Creates a link that lets one person join.</DialogDescription>
      </DialogHeader>
      <InviteForm orgId={orgId} onCreated={setCreated} onCancel={onDone} />
    </>
  );
}

const fields = ["role", "days", "note"] as const;
const lifetimes = [1, 3, invitationDaysDefault, 14, 30];

type InviteFormProps = { orgId: number; onCreated: (invitation: CreatedInvitation) => void; onCancel: () => void };

function InviteForm({ orgId, onCreated, onCancel }: InviteFormProps) {
  const { role: own } = useSession();
  const [role, setRole] = useState<Role>(weakerRole("member", own));
  const [days, setDays] = useState(invitationDaysDefault);
  const [note, setNote] = useState("");
  const create = useCreateInvitation(orgId);
  const errors = fieldMessages(create.error, fields);

  function send(event: FormEvent) {
    event.preventDefault();
    create.mutate({ role, days, note: note.trim() || null }, { onSuccess: onCreated });
  }

  return (
    <form noValidate onSubmit={send} className="grid gap-4">
      <Field label="Who it is for" hint="Shown only in the list of open invitations." error={errors.note}>
        <Input value={note} onChange={(event) => setNote(event.target.value)} autoComplete="off" maxLength={100} />
      </Field>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <RoleSelect value={role} roleMax={own} error={errors.role} onChange={setRole} />
        <LifetimeField value={days} onChange={setDays} choices={lifetimes} error={errors.days} />
      </div>
      {create.error !== null && Object.keys(errors).length === 0 && (
        <ErrorAlert title="The invitation could not be created" {...describeError(create.error)} />
      )}
      <DialogFooter>
        <Button variant="outline" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" pending={create.isPending}>
          Create link
        </Button>
      </DialogFooter>
    </form>
  );
}
