"use client";

import { useState } from "react";
import { TextField } from "#components/form/fields.tsx";
import { DialogSaveBar } from "#components/form/save-bar.tsx";
import { useSavedForm } from "#components/form/use-saved-form.ts";
import { TitledDialog } from "#components/ui/dialog.tsx";
import { toast } from "#components/ui/toast-store.ts";
import { useCreateRepository } from "#lib/client/pages/mutations.ts";

type AddRepositoryDialogProps = { orgId: number; open: boolean; onOpenChange: (open: boolean) => void };

/** Adds a repository by its path on the server or its URL. */
export function AddRepositoryDialog({ orgId, open, onOpenChange }: AddRepositoryDialogProps) {
  return (
    <TitledDialog
      open={open}
      title="Add a repository"
      description="Errand reads it and keeps its own mirror; your clone stays untouched."
      onClose={() => onOpenChange(false)}
    >
      <AddRepositoryForm orgId={orgId} onDone={() => onOpenChange(false)} />
    </TitledDialog>
  );
}

function AddRepositoryForm({ orgId, onDone }: { orgId: number; onDone: () => void }) {
  const [isEmpty, setEmpty] = useState(false);
  const form = useSavedForm({
    saved: { source: "", name: "" },
    bodyOf: ({ source, name }) => ({ source: source.trim(), ...(name.trim() !== "" && { name: name.trim() }) }),
    mutation: useCreateRepository(orgId),
    requestOf({ source, ...more }) {
      setEmpty(source === undefined);
      return source === undefined ? null : { source, ...more };
    },
    onSaved({ full_name }) {
      toast({ title: "Repository added", description: full_name });
      onDone();
    },
    savesUnchanged: true,
  });
  return (
    <form {...form.attributes} className="grid gap-4">
      <TextField
        {...form.field("source")}
        label="Path or URL"
        required
        error={isEmpty ? "must not be empty" : form.errors.source}
        hint="An absolute path on the server, or an https, ssh or git URL"
        placeholder="/srv/git/project or https://github.com/owner/project"
        isCode
      />
      <TextField
        {...form.field("name")}
        label="Name"
        hint="If empty, the last two parts of the path or URL: owner/project"
      />
      <DialogSaveBar form={form.state} label="Add repository" failure="The repository could not be added" />
    </form>
  );
}
