"use client";

import { Dialog, DialogContent, DialogDescription, DialogHeader, DialogTitle } from "#components/ui/dialog.tsx";
import { useCreateToken } from "#lib/client/mutations.ts";
import { CreateTokenForm } from "./create-token-form.tsx";
import { TokenSecret } from "./token-secret.tsx";

/** Creates a token, and shows its secret once. Open as long as it is rendered: closing it discards the secret. */
export function CreateTokenDialog({ orgId, onClose }: { orgId: number; onClose: () => void }) {
  const create = useCreateToken(orgId);
  const created = create.data ?? null;
  return (
    <Dialog open onOpenChange={onClose}>
      <DialogContent
        // A click outside the dialog must not lose the secret, which is shown once.
        onInteractOutside={(event) => event.preventDefault()}
      >
        <DialogHeader>
          <DialogTitle>{created === null ? "New token" : "Copy the token now"}</DialogTitle>
          <DialogDescription>
            {created === null ? "Acts on your behalf, with at most your permissions." : "It will not be shown again."}
          </DialogDescription>
        </DialogHeader>
        {created === null ? <CreateTokenForm create={create} /> : <TokenSecret token={created} onDone={onClose} />}
      </DialogContent>
    </Dialog>
  );
}
