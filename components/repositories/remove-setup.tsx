"use client";

import { useState } from "react";
import { RefusableButton } from "#components/page/refusable-button.tsx";
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
import { toast } from "#components/ui/toast-store.ts";
import { describeError } from "#lib/client/client-error.ts";
import { useDeleteSetup } from "#lib/client/setup-mutations.ts";

/** Removes the accepted commands after confirmation. */
export function RemoveSetup({ orgId, repoId, refusal }: { orgId: number; repoId: number; refusal: string | null }) {
  const [open, setOpen] = useState(false);
  const remove = useDeleteSetup(orgId, repoId);
  const onRemove = () =>
    remove.mutate(undefined, {
      onSuccess: () => {
        toast({ title: "Setup commands removed" });
        setOpen(false);
      },
    });
  return (
    <>
      <RefusableButton refusal={refusal} variant="outline" onClick={() => setOpen(true)}>
        Remove
      </RefusableButton>
      <Dialog open={open} onOpenChange={setOpen}>
        <DialogContent>
          <DialogHeader>
            <DialogTitle>Remove the setup commands?</DialogTitle>
            <DialogDescription>Later runs start in a plain checkout.</DialogDescription>
          </DialogHeader>
          {remove.error !== null && <ErrorAlert title="They could not be removed" {...describeError(remove.error)} />}
          <DialogFooter>
            <Button variant="outline" onClick={() => setOpen(false)}>
              Keep
            </Button>
            <Button variant="destructive" pending={remove.isPending} onClick={onRemove}>
              Remove
            </Button>
          </DialogFooter>
        </DialogContent>
      </Dialog>
    </>
  );
}
