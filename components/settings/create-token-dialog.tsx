"use client";

import { useState } from "react";
import { Dialog, DialogContent, DialogDescription, DialogHeader, DialogTitle } from "#components/ui/dialog.tsx";
import { CreateTokenForm } from "./create-token-form.tsx";
import { type NewToken, TokenSecret } from "./token-secret.tsx";

type CreateTokenDialogProps = { orgId: number; open: boolean; onOpenChange: (open: boolean) => void };

/** Creates a token, and shows its secret once. */
export function CreateTokenDialog({ orgId, open, onOpenChange }: CreateTokenDialogProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      {/* Mounted only while open: closing it discards the secret. */}
      <DialogContent
        // A click outside the dialog must not lose the secret, which is shown once.
        onInteractOutside={(event) => event.preventDefault()}
      >
        <Steps orgId={orgId} onDone={() => onOpenChange(false)} />
      </DialogContent>
    </Dialog>
  );
}

function Steps({ orgId, onDone }: { orgId: number; onDone: () => void }) {
  const [created, setCreated] = useState<NewToken | null>(null);
  return (
    <>
      <DialogHeader>
        <DialogTitle>{created === null ? "New token" : "Copy the token now"}</DialogTitle>
        <DialogDescription>
          {created === null ? "Acts on your behalf, with at most your permissions." : "It will not be shown again."}
        </DialogDescription>
      </DialogHeader>
      {created === null ? (
        <CreateTokenForm orgId={orgId} onCreated={setCreated} onCancel={onDone} />
      ) : (
        <TokenSecret token={created} onDone={onDone} />
      )}
    </>
  );
}
