"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { ConfirmDialog } from "#components/page/confirm-dialog.tsx";
import { Section } from "#components/page/loaded-part.tsx";
import { RefusableButton } from "#components/page/refusable-button.tsx";
import { useRefusal } from "#components/session/session.tsx";
import { toast } from "#components/ui/toast-store.ts";
import { useDeleteRepository } from "#lib/client/pages/mutations.ts";
import type { Repository } from "#lib/contract/repositories/repository.ts";

/** Deletes a repository with all its runs, after confirmation. */
export function DeleteRepository({ orgId, repository }: { orgId: number; repository: Repository }) {
  const [isAsking, setAsking] = useState(false);
  const refusal = useRefusal("org:admin");
  const remove = useDeleteRepository(orgId);
  const router = useRouter();
  const onConfirm = () =>
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
      {isAsking && (
        <ConfirmDialog
          title={`Delete ${repository.full_name}?`}
          description="All its runs are permanently deleted too, with their steps, changes, branches and share links. Branches that exist only in Errand are lost."
          action="Delete repository"
          dismiss="Keep"
          mutation={remove}
          failure="The repository was not deleted"
          // On success the page is left.
          isBusy={remove.isPending || remove.isSuccess}
          onConfirm={onConfirm}
          onClose={() => setAsking(false)}
        />
      )}
    </Section>
  );
}
