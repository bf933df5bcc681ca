"use client";

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
import { useDeleteKey } from "#lib/client/isolation-queries.ts";
import type { AgentKey } from "#lib/contract/agent-key.ts";

type DeleteKeyDialogProps = {
  orgId: number;
  /** The key in question; null closes the dialog. */
  kept: AgentKey | null;
  onClose: () => void;
};

/** Confirms that a key is deleted: agents that need it have none from their next turn on. */
export function DeleteKeyDialog({ orgId, kept, onClose }: DeleteKeyDialogProps) {
  const remove = useDeleteKey(orgId);
  function close() {
    remove.reset();
    onClose();
  }
  return (
    <Dialog open={kept !== null} onOpenChange={close}>
      <DialogContent>
        <DialogHeader>
          <DialogTitle>Delete {kept?.variable}?</DialogTitle>
          <DialogDescription>
            Turns already in progress keep using it. Errand cannot show you the key again: to restore it, enter it
            again.
          </DialogDescription>
        </DialogHeader>
        {remove.error !== null && <ErrorAlert title="The key was not deleted" {...describeError(remove.error)} />}
        <DialogFooter>
          <Button variant="outline" onClick={close}>
            Cancel
          </Button>
          <Button
            variant="destructive"
            pending={remove.isPending}
            onClick={() => {
              if (kept === null) return;
              remove.mutate(kept.id, {
                onSuccess: () => {
                  toast({ title: "Key deleted", description: kept.variable });
                  close();
                },
              });
            }}
          >
            Delete
          </Button>
        </DialogFooter>
      </DialogContent>
    </Dialog>
  );
}
