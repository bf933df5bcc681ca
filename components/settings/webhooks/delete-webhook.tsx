"use client";

import { useState } from "react";
import { ConfirmDialog } from "#components/page/confirm-dialog.tsx";
import { Button } from "#components/ui/button.tsx";
import { toast } from "#components/ui/toast-store.ts";
import { useDeleteWebhook } from "#lib/client/pages/webhook-queries.ts";

type DeleteWebhookProps = {
  orgId: number;
  /** Whether a save is in progress: it would create the webhook again. */
  isSaving: boolean;
  onDeleted: () => void;
};

/** A button that deletes the webhook after confirmation. */
export function DeleteWebhook({ orgId, isSaving, onDeleted }: DeleteWebhookProps) {
  const [isAsking, setAsking] = useState(false);
  const remove = useDeleteWebhook(orgId);
  const onConfirm = () =>
    remove.mutate(undefined, {
      onSuccess: () => {
        toast({ title: "Webhook deleted" });
        setAsking(false);
        onDeleted();
      },
    });
  return (
    <>
      <Button variant="outline" aria-disabled={isSaving || undefined} onClick={() => !isSaving && setAsking(true)}>
        Delete
      </Button>
      {isAsking && (
        <ConfirmDialog
          title="Delete the webhook?"
          description="Its secret is deleted and pending deliveries are cancelled."
          action="Delete"
          mutation={remove}
          failure="The webhook was not deleted"
          onConfirm={onConfirm}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
