"use client";

import { TitledDialog } from "#components/ui/dialog.tsx";
import type { IntegrationStatus } from "#lib/contract/integrations/integration.ts";
import { integrationTypes } from "#lib/contract/words.ts";
import { ConnectForm } from "./connect-form.tsx";
import { McpForm } from "./mcp-form.tsx";

/** Connects an integration, or changes a connected one. Null closes it. */
export function ConnectDialog({
  integration,
  onClose,
}: {
  integration: IntegrationStatus | null;
  onClose: () => void;
}) {
  const type = integrationTypes.find((option) => option === integration?.integration_type);
  const isConnected = integration?.metadata.connected === true;
  return (
    // Its form is mounted only while it is open: closing it discards the input.
    <TitledDialog
      open={integration !== null}
      title={`${isConnected ? "Edit" : "Connect"} ${integration?.metadata.title}`}
      description={`Secrets are stored encrypted and never shown again.${isConnected ? " Leave a secret empty to keep it." : ""}`}
      onClose={onClose}
      isKept
    >
      {integration?.integration_type === "mcp" && <McpForm integration={integration} onDone={onClose} />}
      {integration !== null && type !== undefined && (
        <ConnectForm key={type} type={type} integration={integration} onDone={onClose} />
      )}
    </TitledDialog>
  );
}
