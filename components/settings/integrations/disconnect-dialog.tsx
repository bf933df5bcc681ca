"use client";

import { ConfirmDialog } from "#components/page/confirm-dialog.tsx";
import { useOrganization } from "#components/session/session.tsx";
import { toast } from "#components/ui/toast-store.ts";
import { useDeleteIntegration } from "#lib/client/pages/integration-queries.ts";
import type { IntegrationStatus } from "#lib/contract/integrations/integration.ts";

/** Confirms the disconnection of an integration. */
export function DisconnectDialog({ integration, onClose }: { integration: IntegrationStatus; onClose: () => void }) {
  const { id: orgId } = useOrganization();
  const remove = useDeleteIntegration(orgId);
  const { title } = integration.metadata;
  const onConfirm = () =>
    remove.mutate(integration.integration_type, {
      onSuccess: () => {
        toast({ title: `${title} disconnected` });
        onClose();
      },
    });
  return (
    <ConfirmDialog
      title={`Disconnect ${title}?`}
      description={
        integration.integration_type === "mcp"
          ? "All servers and their headers are deleted. New runs no longer get them."
          : "Its secrets and settings are deleted, and mentions no longer start runs. Runs it started are kept."
      }
      action="Disconnect"
      mutation={remove}
      failure={`${title} was not disconnected`}
      {...{ onConfirm, onClose }}
    />
  );
}
