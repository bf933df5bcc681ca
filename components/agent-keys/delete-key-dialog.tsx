"use client";

import { ConfirmDialog } from "#components/page/confirm-dialog.tsx";
import { toast } from "#components/ui/toast-store.ts";
import { useDeleteKey } from "#lib/client/pages/isolation-queries.ts";
import type { AgentKey } from "#lib/contract/repositories/agent-key.ts";

/** Confirms deleting a key: agents that need it lose it from their next turn on. */
export function DeleteKeyDialog({ orgId, kept, onClose }: { orgId: number; kept: AgentKey; onClose: () => void }) {
  const remove = useDeleteKey(orgId);
  const onConfirm = () =>
    remove.mutate(kept.id, {
      onSuccess: () => {
        toast({ title: "Key deleted", description: kept.variable });
        onClose();
      },
    });
  return (
    <ConfirmDialog
      title={`Delete ${kept.variable}?`}
      description="Turns already in progress keep using it. Errand cannot show you the key again: to restore it, enter it again."
      action="Delete"
      mutation={remove}
      failure="The key was not deleted"
      {...{ onConfirm, onClose }}
    />
  );
}
