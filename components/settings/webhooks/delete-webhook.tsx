"use client";

import { useState } from "react";
import { ConfirmDialog } from "#components/page/confirm-dialog.tsx";
import { Button } from "#components/ui/button.tsx";
import { toast } from "#components/ui/toast-store.ts";
import { useDeleteWebhook } from "#lib/client/pages/webhook-queries.ts";
import type { WebhookEndpoint } from "#lib/contract/integrations/webhook.ts";

type DeleteWebhookProps = {
  orgId: number;
  webhook: Pick<WebhookEndpoint, "id" | "url">;
  /** Whether a save is in progress, which would fail if the webhook were deleted meanwhile, or has just ended. */
  isSaving: boolean;
  onDeleted: () => void;
};

/** A button that deletes the webhook after confirmation. */
export function DeleteWebhook({ orgId, webhook, isSaving, onDeleted }: DeleteWebhookProps) {
  const [isAsking, setAsking] = useState(false);
  const remove = useDeleteWebhook(orgId);
  const onConfirm = () =>
    remove.mutate(webhook.id, {
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
          description={`${webhook.url} gets no more events. Its secret is deleted and pending deliveries are cancelled.`}
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
