"use client";

import { TextField } from "#components/form/fields.tsx";
import { DialogSaveBar } from "#components/form/save-bar.tsx";
import { useNewForm } from "#components/form/use-saved-form.ts";
import { useSession } from "#components/session/session.tsx";
import { TitledDialog } from "#components/ui/dialog.tsx";
import { LifetimeField } from "#components/ui/lifetime-field.tsx";
import { useCreateInvitation } from "#lib/client/pages/people-mutations.ts";
import { invitationDaysDefault } from "#lib/contract/bounds.ts";
import { weakerRole } from "#lib/contract/people/role-scopes.ts";
import { LinkOnce } from "./link-once.tsx";
import { RoleSelect } from "./role-select.tsx";

type Create = ReturnType<typeof useCreateInvitation>;

/** Creates an invitation, and shows its link once. Open as long as it is rendered: closing it discards the link. */
export function InviteDialog({ orgId, onClose }: { orgId: number; onClose: () => void }) {
  const create = useCreateInvitation(orgId);
  const created = create.data;
  return (
    <TitledDialog
      title={created === undefined ? "Invite someone" : "Copy the invitation now"}
      description={created === undefined ? "Creates a link that lets one person join." : "It will not be shown again."}
      onClose={onClose}
      isKept
    >
      {created === undefined ? (
        <InviteForm create={create} />
      ) : (
        <LinkOnce
          url={created.url}
          expiresAt={created.expires_at}
          whom={created.note ?? "one person"}
          onDone={onClose}
        />
      )}
    </TitledDialog>
  );
}

const lifetimes = [1, 3, invitationDaysDefault, 14, 30];

function InviteForm({ create }: { create: Create }) {
  const { role: own } = useSession();
  const form = useNewForm({
    blank: { role: weakerRole("member", own), days: invitationDaysDefault, note: "" },
    bodyOf: ({ note, ...values }) => ({ ...values, note: note.trim() || null }),
    mutation: create,
  });
  return (
    <form {...form.attributes} className="grid gap-4">
      <TextField
        {...form.field("note")}
        label="Who it is for"
        hint="Shown only in the list of open invitations."
        maxLength={100}
      />
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <RoleSelect {...form.field("role")} roleMax={own} />
        <LifetimeField {...form.field("days")} choices={lifetimes} />
      </div>
      <DialogSaveBar form={form.state} label="Create link" failure="The invitation could not be created" />
    </form>
  );
}
