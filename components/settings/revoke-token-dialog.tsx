"use client";

import { ConfirmDialog } from "#components/page/confirm-dialog.tsx";
import { useSession } from "#components/session/session.tsx";
import { toast } from "#components/ui/toast-store.ts";
import { useRevokeToken } from "#lib/client/pages/mutations.ts";
import type { ListedToken } from "#lib/contract/people/token.ts";

type RevokeTokenDialogProps = { orgId: number; token: ListedToken; onClose: () => void };

/** Confirms the revocation of a token: anything using it stops working at once. */
export function RevokeTokenDialog({ orgId, token, onClose }: RevokeTokenDialogProps) {
  const revoke = useRevokeToken(orgId);
  const { user } = useSession();
  const isForeign = token.user_id !== user.id;
  const onConfirm = () =>
    revoke.mutate(token.id, {
      onSuccess: () => {
        toast({ title: "Token revoked", description: token.name });
        onClose();
      },
    });
  return (
    <ConfirmDialog
      title={`Revoke “${token.name}”?`}
      description={
        <>
          {isForeign && `It belongs to ${token.user_name ?? `person ${token.user_id}`}. `}
          Anything that uses it stops working at once. This cannot be undone.
        </>
      }
      action="Revoke"
      mutation={revoke}
      failure="The token was not revoked"
      {...{ onConfirm, onClose }}
    />
  );
}
