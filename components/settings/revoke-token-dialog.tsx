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
import { useRevokeToken } from "#lib/client/mutations.ts";
import type { Token } from "#lib/contract/token.ts";

type RevokeTokenDialogProps = {
  orgId: number;
  /** The token in question; null closes the dialog. */
  token: Token | null;
  onClose: () => void;
};

/** Asks before a token ends: what uses it stops working at once. */
export function RevokeTokenDialog({ orgId, token, onClose }: RevokeTokenDialogProps) {
  const revoke = useRevokeToken(orgId);
  function close() {
    revoke.reset();
    onClose();
  }
  return (
    <Dialog open={token !== null} onOpenChange={close}>
      <DialogContent>
        <DialogHeader>
          <DialogTitle>Revoke “{token?.name}”?</DialogTitle>
          <DialogDescription>What uses it stops working at once. This cannot be undone.</DialogDescription>
        </DialogHeader>
        {revoke.error !== null && <ErrorAlert title="The token was not revoked" {...describeError(revoke.error)} />}
        <DialogFooter>
          <Button variant="outline" onClick={close}>
            Keep it
          </Button>
          <Button
            variant="destructive"
            pending={revoke.isPending}
            onClick={() => {
              if (token === null) return;
              revoke.mutate(token.id, {
                onSuccess: () => {
                  toast({ title: "Token revoked", description: token.name });
                  close();
                },
              });
            }}
          >
            Revoke
          </Button>
        </DialogFooter>
      </DialogContent>
    </Dialog>
  );
}
