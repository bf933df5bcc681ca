"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { Section } from "#components/page/loaded-part.tsx";
import { RefusableButton } from "#components/page/refusable-button.tsx";
import { useRefusal } from "#components/session/session.tsx";
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
import { toast } from "#components/ui/toast-store.ts";
import { describeError } from "#lib/client/client-error.ts";
import { useDeleteRepository } from "#lib/client/mutations.ts";
import type { Repository } from "#lib/contract/repository.ts";

/** Deletes a repository with all its runs, after confirmation. */
export function DeleteRepository({ orgId, repository }: { orgId: number; repository: Repository }) {
  const [isAsking, setAsking] = useState(false);
  const refusal = useRefusal("org:admin");
  const remove = useDeleteRepository(orgId);
  const router = useRouter();
  const onDelete = () =>
    remove.mutate(repository.id, {
      onSuccess: ({ deleted_runs }) => {
        const runs = deleted_runs === 1 ? "1 run" : `${deleted_runs.toLocaleString("en-US")} runs`;
        toast({ title: "Repository deleted", description: `${repository.full_name}, with ${runs}` });
        router.push("/repositories");
      },
    });
  return (
    <Section
      id="delete"
      title="Delete"
      note="Deletes the repository from Errand with all its runs and their branches, its setup and its keys. The source is not touched."
    >
      <div>
        <RefusableButton variant="outline" refusal={refusal} onClick={() => setAsking(true)}>
          Delete repository
        </RefusableButton>
      </div>
      <Dialog open={isAsking} onOpenChange={setAsking}>
        <DialogContent>
          <DialogHeader>
            <DialogTitle>Delete {repository.full_name}?</DialogTitle>
            <DialogDescription>
              All its runs go too, for good: their steps, changes, branches and share links. Branches that only Errand
              has are lost.
            </DialogDescription>
          </DialogHeader>
          {remove.isError && <ErrorAlert title="The repository was not deleted" {...describeError(remove.error)} />}
          <DialogFooter>
            <DialogClose asChild>
              <Button variant="outline">Keep</Button>
            </DialogClose>
            <Button variant="destructive" pending={remove.isPending || remove.isSuccess} onClick={onDelete}>
              Delete repository
            </Button>
          </DialogFooter>
        </DialogContent>
      </Dialog>
    </Section>
  );
}
