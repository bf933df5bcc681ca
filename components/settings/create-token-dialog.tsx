"use client";

import { TitledDialog } from "#components/ui/dialog.tsx";
import { useCreateToken } from "#lib/client/pages/mutations.ts";
import { CreateTokenForm } from "./create-token-form.tsx";
import { TokenSecret } from "./token-secret.tsx";

/** Creates a token, and shows its secret once. Open as long as it is rendered: closing it discards the secret. */
export function CreateTokenDialog({ orgId, onClose }: { orgId: number; onClose: () => void }) {
  const create = useCreateToken(orgId);
  const created = create.data ?? null;
  return (
    <TitledDialog
      title={created === null ? "New token" : "Copy the token now"}
      description={
        created === null ? "Acts on your behalf, with at most your permissions." : "It will not be shown again."
      }
      onClose={onClose}
      isKept
    >
      {created === null ? <CreateTokenForm create={create} /> : <TokenSecret token={created} onDone={onClose} />}
    </TitledDialog>
  );
}
