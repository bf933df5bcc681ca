"use client";

import { useState } from "react";
import { ConfirmDialog } from "#components/page/confirm-dialog.tsx";
import { RefusableButton } from "#components/page/refusable-button.tsx";
import { toast } from "#components/ui/toast-store.ts";
import { useDeleteSetup } from "#lib/client/pages/setup-mutations.ts";

/** Removes the accepted commands after confirmation. */
export function RemoveSetup({ orgId, repoId, refusal }: { orgId: number; repoId: number; refusal: string | null }) {
  const [isAsking, setAsking] = useState(false);
  const remove = useDeleteSetup(orgId, repoId);
  const onConfirm = () =>
    // Not a callback of mutate, which is not called once the editor is gone.
    remove.mutateAsync().then(
      () => {
        toast({ title: "Setup commands removed" });
        setAsking(false);
      },
      () => {},
    );
  return (
    <>
      <RefusableButton refusal={refusal} variant="outline" onClick={() => setAsking(true)}>
        Remove
      </RefusableButton>
      {isAsking && (
        <ConfirmDialog
          title="Remove the setup commands?"
          description="Later runs start in a plain checkout."
          action="Remove"
          dismiss="Keep"
          mutation={remove}
          failure="The commands could not be removed"
          onConfirm={onConfirm}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
