"use client";

import { type FormEvent, useState } from "react";
import { useSession } from "#components/session/session.tsx";
import { ErrorAlert } from "#components/ui/alert.tsx";
import { Button } from "#components/ui/button.tsx";
import {
  Dialog,
  DialogCancel,
  DialogContent,
  DialogDescription,
  DialogFooter,
  DialogHeader,
  DialogTitle,
  KeepOpen,
} from "#components/ui/dialog.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { LifetimeField } from "#components/ui/lifetime-field.tsx";
import { describeError, fieldMessages } from "#lib/client/client-error.ts";
import { useCreateInvitation } from "#lib/client/people-mutations.ts";
import { invitationDaysDefault } from "#lib/contract/bounds.ts";
import type { Role } from "#lib/contract/organization.ts";
import { weakerRole } from "#lib/contract/role-scopes.ts";
import { LinkOnce } from "./link-once.tsx";
import { RoleSelect } from "./role-select.tsx";

/** Creates an invitation, and shows its link once. Open as long as it is rendered: closing it discards the link. */
export function InviteDialog({ orgId, onClose }: { orgId: number; onClose: () => void }) {
  const create = useCreateInvitation(orgId);
  return (
    <Dialog open onOpenChange={onClose}>
      {/* A click outside must not lose the link. */}
      <DialogContent onInteractOutside={(event) => event.preventDefault()}>
        <KeepOpen while={create.isPending} />
        <Steps create={create} onDone={onClose} />
      </DialogContent>
    </Dialog>
  );
}

type StepProps = { create: ReturnType<typeof useCreateInvitation>; onDone: () => void };

function Steps({ create, onDone }: StepProps) {
  const created = create.data;
  if (created !== undefined) {
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
      <InviteForm create={create} />
    </>
  );
}

const fields = ["role", "days", "note"] as const;
const lifetimes = [1, 3, invitationDaysDefault, 14, 30];

function InviteForm({ create }: Pick<StepProps, "create">) {
  const { role: own } = useSession();
  const [role, setRole] = useState<Role>(weakerRole("member", own));
  const [days, setDays] = useState(invitationDaysDefault);
  const [note, setNote] = useState("");
  const errors = fieldMessages(create.error, fields);

  function send(event: FormEvent) {
    event.preventDefault();
    create.mutate({ role, days, note: note.trim() || null });
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
        <DialogCancel />
        <Button type="submit" pending={create.isPending}>
          Create link
        </Button>
      </DialogFooter>
    </form>
  );
}
