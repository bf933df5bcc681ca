"use client";

import { useState } from "react";
import { Dialog, DialogContent, DialogDescription, DialogHeader, DialogTitle } from "#components/ui/dialog.tsx";
import type { Run } from "#lib/contract/run.ts";
import type { CreatedShare } from "#lib/contract/share.ts";
import { NewShare } from "./new-share.tsx";
import { ShareForm } from "./share-form.tsx";
import { ShareRows } from "./share-rows.tsx";

type ShareDialogProps = { orgId: number; run: Run; open: boolean; onClose: () => void };

/** Creates and revokes links with which anyone can see a run. */
export function ShareDialog({ orgId, run, open, onClose }: ShareDialogProps) {
  const [created, setCreated] = useState<CreatedShare | null>(null);
  const close = () => {
    setCreated(null);
    onClose();
  };
  return (
    <Dialog open={open} onOpenChange={(isOpen) => !isOpen && close()}>
      {/* A click outside the dialog must not lose the link. */}
      <DialogContent className="max-w-xl" onInteractOutside={(event) => created !== null && event.preventDefault()}>
        <DialogHeader>
          <DialogTitle>{created === null ? `Share run #${run.id}` : "The link is ready"}</DialogTitle>
          <DialogDescription>
            {created === null
              ? "Anyone with the link can see what you choose here, without signing in. They cannot change anything."
              : "Copy it now: it will not be shown again. You can create another one at any time."}
          </DialogDescription>
        </DialogHeader>
        {created === null ? (
          <>
            <ShareForm {...{ orgId, run }} onCreated={setCreated} onCancel={close} />
            <ShareRows orgId={orgId} runId={run.id} />
          </>
        ) : (
          <NewShare share={created} onDone={() => setCreated(null)} />
        )}
      </DialogContent>
    </Dialog>
  );
}
