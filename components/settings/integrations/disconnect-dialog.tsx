"use client";

import { useOrganization } from "#components/session/session.tsx";
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
import { useDeleteIntegration } from "#lib/client/integration-queries.ts";
import type { IntegrationStatus } from "#lib/contract/integration.ts";

/** Confirms the disconnection of an integration. Null closes it. */
export function DisconnectDialog({
  integration,
  onClose,
}: {
  integration: IntegrationStatus | null;
  onClose: () => void;
}) {
  const { id: orgId } = useOrganization();
  const remove = useDeleteIntegration(orgId);
  const title = integration?.metadata.title;
  function close() {
    remove.reset();
    onClose();
  }
  return (
    <Dialog open={integration !== null} onOpenChange={close}>
      <DialogContent>
        <DialogHeader>
          <DialogTitle>Disconnect {title}?</DialogTitle>
          <DialogDescription>
            {integration?.integration_type === "mcp"
              ? "All servers and their headers are deleted. New runs no longer get them."
              : "Its secrets and settings are deleted, and mentions no longer start runs. Runs it started are kept."}
          </DialogDescription>
        </DialogHeader>
        {remove.error !== null && (
          <ErrorAlert title={`${title} was not disconnected`} {...describeError(remove.error)} />
        )}
        <DialogFooter>
          <Button variant="outline" onClick={close}>
            Cancel
          </Button>
          <Button
            variant="destructive"
            pending={remove.isPending}
            onClick={() => {
              if (integration === null) return;
              remove.mutate(integration.integration_type, {
                onSuccess: () => {
                  toast({ title: `${title} disconnected` });
                  close();
                },
              });
            }}
          >
            Disconnect
          </Button>
        </DialogFooter>
      </DialogContent>
    </Dialog>
  );
}
