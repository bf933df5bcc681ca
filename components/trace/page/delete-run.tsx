"use client";

import { Trash2 } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { RefusableButton } from "#components/page/refusable-button.tsx";
import { ErrorAlert } from "#components/ui/alert.tsx";
import { Button } from "#components/ui/button.tsx";
import {
  Dialog,
  DialogClose,
  DialogContent,
  DialogDescription,
  DialogFooter,
  DialogHeader,
  DialogTitle,
} from "#components/ui/dialog.tsx";
import { IconButton } from "#components/ui/icon-button.tsx";
import { toast } from "#components/ui/toast-store.ts";
import { describeError } from "#lib/client/client-error.ts";
import { useDeleteRun } from "#lib/client/mutations.ts";
import type { Run } from "#lib/contract/run.ts";

/** Deletes a run that has ended, after confirmation, and goes to the list of runs. */
export function DeleteRun({ orgId, run, refusal }: { orgId: number; run: Run; refusal: string | null }) {
  const [isAsking, setAsking] = useState(false);
  const remove = useDeleteRun(orgId);
  const router = useRouter();
  const onDelete = () =>
    remove.mutate(run.id, {
      onSuccess: () => {
        toast({ title: `Run ${run.id} deleted` });
        router.push("/runs");
      },
    });
  return (
    <>
      {refusal === null ? (
        <IconButton label="Delete" size="icon-sm" onClick={() => setAsking(true)}>
          <Trash2 />
        </IconButton>
      ) : (
        <RefusableButton variant="ghost" size="icon-sm" refusal={refusal}>
          <Trash2 aria-hidden />
          <span className="sr-only">Delete</span>
        </RefusableButton>
      )}
      <Dialog open={isAsking} onOpenChange={setAsking}>
        <DialogContent>
          <DialogHeader>
            <DialogTitle>Delete run {run.id}?</DialogTitle>
            <DialogDescription>
              Its steps, prompts, changes, branch and share links are deleted for good, and so are runs that analyzed
              it. The audit log keeps that you deleted it.
            </DialogDescription>
          </DialogHeader>
          {remove.isError && <ErrorAlert title="The run was not deleted" {...describeError(remove.error)} />}
          <DialogFooter>
            <DialogClose asChild>
              <Button variant="outline">Keep</Button>
            </DialogClose>
            <Button variant="destructive" pending={remove.isPending || remove.isSuccess} onClick={onDelete}>
              Delete run
            </Button>
          </DialogFooter>
        </DialogContent>
      </Dialog>
    </>
  );
}
