"use client";

import { useState } from "react";
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
import { useDeleteWebhook } from "#lib/client/webhook-queries.ts";

/** A button that deletes the webhook after confirmation. */
export function DeleteWebhook({ orgId, onDeleted }: { orgId: number; onDeleted: () => void }) {
  const [isOpen, setOpen] = useState(false);
  const remove = useDeleteWebhook(orgId);
  function change(open: boolean) {
    remove.reset();
    setOpen(open);
  }
  return (
    <>
      <Button variant="outline" onClick={() => change(true)}>
        Delete
      </Button>
      <Dialog open={isOpen} onOpenChange={change}>
        <DialogContent>
          <DialogHeader>
            <DialogTitle>Delete the webhook?</DialogTitle>
            <DialogDescription>Its secret is deleted and pending deliveries are cancelled.</DialogDescription>
          </DialogHeader>
          {remove.error !== null && <ErrorAlert title="The webhook was not deleted" {...describeError(remove.error)} />}
          <DialogFooter>
            <Button variant="outline" onClick={() => change(false)}>
              Cancel
            </Button>
            <Button
              variant="destructive"
              pending={remove.isPending}
              onClick={() =>
                remove.mutate(undefined, {
                  onSuccess: () => {
                    toast({ title: "Webhook deleted" });
                    change(false);
                    onDeleted();
                  },
                })
              }
            >
              Delete
            </Button>
          </DialogFooter>
        </DialogContent>
      </Dialog>
    </>
  );
}
