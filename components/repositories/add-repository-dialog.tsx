"use client";

import { type FormEvent, useState } from "react";
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
import { toast } from "#components/ui/toast-store.ts";
import { describeError, fieldMessages } from "#lib/client/client-error.ts";
import { useCreateRepository } from "#lib/client/mutations.ts";

const fields = ["source", "name", "description"] as const;
type Errors = Partial<Record<(typeof fields)[number] | "", string>>;

type AddRepositoryDialogProps = { orgId: number; open: boolean; onOpenChange: (open: boolean) => void };

/** Adds a repository by its path on the server or its URL. */
export function AddRepositoryDialog({ orgId, open, onOpenChange }: AddRepositoryDialogProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent>
        <DialogHeader>
          <DialogTitle>Add a repository</DialogTitle>
          <DialogDescription>Errand reads it and keeps its own mirror; your clone stays untouched.</DialogDescription>
        </DialogHeader>
        <AddRepositoryForm orgId={orgId} onDone={() => onOpenChange(false)} />
      </DialogContent>
    </Dialog>
  );
}

function AddRepositoryForm({ orgId, onDone }: { orgId: number; onDone: () => void }) {
  const [source, setSource] = useState("");
  const [name, setName] = useState("");
  const [errors, setErrors] = useState<Errors>({});
  const create = useCreateRepository(orgId);

  function send(event: FormEvent) {
    event.preventDefault();
    if (source.trim() === "") return setErrors({ source: "must not be empty" });
    const body = { source: source.trim(), ...(name.trim() !== "" && { name: name.trim() }) };
    setErrors({});
    create.mutate(body, {
      onSuccess: ({ full_name }) => {
        toast({ title: "Repository added", description: full_name });
        onDone();
      },
      onError: (error) => setErrors(fieldMessages(error, fields)),
    });
  }

  const failure = Object.keys(errors).length === 0 ? create.error : null;
  return (
    <form noValidate onSubmit={send} className="grid gap-4">
      <KeepOpen while={create.isPending} />
      <Field
        label="Path or URL"
        required
        error={errors.source}
        hint="An absolute path on the server, or an https, ssh or git URL"
      >
        <Input
          value={source}
          onChange={(event) => setSource(event.target.value)}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          placeholder="/srv/git/project or https://github.com/owner/project"
        />
      </Field>
      <Field label="Name" error={errors.name} hint="If empty, the last two parts of the path or URL: owner/project">
        <Input value={name} onChange={(event) => setName(event.target.value)} autoComplete="off" />
      </Field>
      {errors[""] !== undefined && <ErrorAlert title="The request was refused" detail={errors[""]} />}
      {failure !== null && <ErrorAlert title="The repository could not be added" {...describeError(failure)} />}
      <DialogFooter>
        <DialogCancel />
        <Button type="submit" pending={create.isPending}>
          Add repository
        </Button>
      </DialogFooter>
    </form>
  );
}
