"use client";

import { Dialog, DialogContent, DialogDescription, DialogHeader, DialogTitle } from "#components/ui/dialog.tsx";
import { type IntegrationStatus, IntegrationType } from "#lib/contract/integration.ts";
import { ConnectForm } from "./connect-form.tsx";

/** Connects an integration, or changes one that is connected. Null closes it. */
export function ConnectDialog({
  integration,
  onClose,
}: {
  integration: IntegrationStatus | null;
  onClose: () => void;
}) {
  const type = IntegrationType.options.find((option) => option === integration?.integration_type);
  const isConnected = integration?.metadata.connected === true;
  return (
    <Dialog open={integration !== null} onOpenChange={onClose}>
      {/* Mounted while it is open: closing it forgets what was typed. */}
      <DialogContent onInteractOutside={(event) => event.preventDefault()}>
        <DialogHeader>
          <DialogTitle>
            {isConnected ? "Edit" : "Connect"} {integration?.metadata.title}
          </DialogTitle>
          <DialogDescription>
            Secrets are stored encrypted and never shown again.
            {isConnected && " Leave a secret empty to keep it."}
          </DialogDescription>
        </DialogHeader>
        {integration !== null && type !== undefined && (
          <ConnectForm key={type} type={type} integration={integration} onDone={onClose} />
        )}
      </DialogContent>
    </Dialog>
  );
}
