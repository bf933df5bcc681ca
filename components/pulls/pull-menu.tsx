"use client";

import { Ellipsis } from "lucide-react";
import { useState } from "react";
import { ConfirmDialog } from "#components/page/confirm-dialog.tsx";
import { useRunRefusal } from "#components/session/session.tsx";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from "#components/ui/dropdown-menu.tsx";
import { IconButton } from "#components/ui/icon-button.tsx";
import { toast } from "#components/ui/toast-store.ts";
import { describeError } from "#lib/client/client-error.ts";
import { isLive } from "#lib/client/live/is-live.ts";
import { useBanRun, useEditPull } from "#lib/client/pages/pull-queries.ts";
import type { Run } from "#lib/contract/runs/run.ts";
import { type PullChoice, pullChoicesOf } from "./pull-choices.ts";

/** Labels of the menu, and the message after the change; `#` stands for the pull request's name. */
const words: Record<PullChoice, { label: string; done: string }> = {
  ready_for_review: { label: "Mark as ready for review", done: "# is ready for review" },
  draft: { label: "Convert to draft", done: "# is a draft" },
  closed: { label: "Close…", done: "# closed" },
  open: { label: "Reopen", done: "# reopened" },
  ban: { label: "Ban run…", done: "Run banned" },
  unban: { label: "Unban run", done: "Run unbanned" },
};

/** Changes the state of a run's pull request on its code host, and whether its events resume the run. */
export function PullMenu({ orgId, run }: { orgId: number; run: Run }) {
  const [asked, setAsked] = useState<"closed" | "ban" | null>(null);
  const edit = useEditPull(orgId, run.id);
  const ban = useBanRun(orgId, run.id);
  const mayEdit = useRunRefusal("push", run.user_id) === null;
  const mayBan = useRunRefusal("cancel", run.user_id) === null;
  const choices = pullChoicesOf(run).filter((choice) => (choice === "ban" || choice === "unban" ? mayBan : mayEdit));
  const { pull_request: pull } = run;
  if (pull === null || choices.length === 0) return null;
  const { id: pullId } = pull;
  const name = `#${pull.number}`;

  function choose(choice: PullChoice) {
    if ((choice === "closed" || choice === "ban") && asked === null) {
      setAsked(choice);
      return;
    }
    const outcome = {
      onSuccess() {
        setAsked(null);
        toast({ title: words[choice].done.replace("#", name) });
      },
      onError(error: Error) {
        // A dialog shows the error itself.
        if (asked === null)
          toast({
            tone: "error",
            title: choice === "unban" ? "The run was not unbanned" : `${name} was not changed`,
            description: describeError(error).detail,
          });
      },
    };
    if (choice === "ban" || choice === "unban") ban.mutate(choice === "ban", outcome);
    else edit.mutate({ pullId, state: choice }, outcome);
  }

  return (
    <>
      <DropdownMenu>
        <DropdownMenuTrigger asChild>
          <IconButton label={`Actions for ${name}`} size="icon-sm">
            <Ellipsis />
          </IconButton>
        </DropdownMenuTrigger>
        <DropdownMenuContent align="end">
          {choices.map((choice) => (
            <DropdownMenuItem key={choice} disabled={edit.isPending || ban.isPending} onSelect={() => choose(choice)}>
              {words[choice].label}
            </DropdownMenuItem>
          ))}
        </DropdownMenuContent>
      </DropdownMenu>
      {asked === "closed" && (
        <ConfirmDialog
          title={`Close ${name}?`}
          description="It is closed on the code host without being merged. The branch stays there, and you can reopen it."
          action="Close pull request"
          dismiss="Keep open"
          mutation={edit}
          failure={`${name} was not closed`}
          onConfirm={() => choose("closed")}
          onClose={() => setAsked(null)}
        />
      )}
      {asked === "ban" && (
        <ConfirmDialog
          title="Ban this run?"
          description={`${isLive(run) ? "The run is cancelled. " : ""}Checks, comments and reviews of ${name} no longer resume it; you can still resume it here. The pull request itself stays as it is.`}
          action="Ban run"
          dismiss="Don't ban"
          mutation={ban}
          failure="The run was not banned"
          onConfirm={() => choose("ban")}
          onClose={() => setAsked(null)}
        />
      )}
    </>
  );
}
