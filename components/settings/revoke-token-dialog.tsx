"use client";

import { useSession } from "#components/session/session.tsx";
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
import type { ListedToken } from "#lib/contract/token.ts";

type RevokeTokenDialogProps = {
  orgId: number;
  /** The token in question; null closes the dialog. */
  token: ListedToken | null;
  onClose: () => void;
};

/** Confirms the revocation of a token: anything using it stops working at once. */
export function RevokeTokenDialog({ orgId, token, onClose }: RevokeTokenDialogProps) {
  const revoke = useRevokeToken(orgId);
  const { user } = useSession();
  const isForeign = token !== null && token.user_id !== user.id;
  function close() {
    revoke.reset();
    onClose();
  }
  return (
    <Dialog open={token !== null} onOpenChange={close}>
      <DialogContent>
        <DialogHeader>
          <DialogTitle>Revoke “{token?.name}”?</DialogTitle>
          <DialogDescription>
            {isForeign && `It belongs to ${token.user_name ?? `user ${token.user_id}`}. `}
            Anything that uses it stops working at once. This cannot be undone.
          </DialogDescription>
        </DialogHeader>
        {revoke.error !== null && <ErrorAlert title="The token was not revoked" {...describeError(revoke.error)} />}
        <DialogFooter>
          <Button variant="outline" onClick={close}>
            Cancel
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
