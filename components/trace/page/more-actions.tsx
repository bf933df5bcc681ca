"use client";

import { Ellipsis, GitPullRequestArrow, Link2, Share2, Trash2 } from "lucide-react";
import { RefusableButton } from "#components/page/refusable-button.tsx";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from "#components/ui/dropdown-menu.tsx";
import { IconButton } from "#components/ui/icon-button.tsx";
import { isLive } from "#lib/client/live/is-live.ts";
import type { Run } from "#lib/contract/runs/run.ts";
import { ExportItems, ExportMenu } from "./export-menu.tsx";

type MoreActionsProps = {
  orgId: number;
  run: Run;
  /** The action available for the run's pull request, or null. */
  pullAction: string | null;
  /** Reason this person may not open the pull request, share or delete the run, or null. */
  pushRefusal: string | null;
  shareRefusal: string | null;
  deleteRefusal: string | null;
  onPull: () => void;
  onShare: () => void;
  onCopyLink: () => void;
  onDelete: () => void;
};

/** The less frequent actions as buttons, where there is room for them. */
export function MoreButtons(props: MoreActionsProps) {
  const { orgId, run, shareRefusal, deleteRefusal, onShare, onCopyLink, onDelete } = props;
  return (
    <div className="flex items-center gap-1.5 max-sm:hidden">
      {props.pullAction !== null && (
        <RefusableButton variant="outline" size="sm" refusal={props.pushRefusal} onClick={props.onPull}>
          <GitPullRequestArrow aria-hidden />
          <span className="max-lg:sr-only">{props.pullAction}</span>
        </RefusableButton>
      )}
      <RefusableButton variant="outline" size="sm" refusal={shareRefusal} onClick={onShare}>
        <Share2 aria-hidden />
        Share
      </RefusableButton>
      <IconButton label="Copy link" size="icon-sm" onClick={onCopyLink}>
        <Link2 />
      </IconButton>
      <ExportMenu orgId={orgId} runId={run.id} />
      {!isLive(run) &&
        (deleteRefusal === null ? (
          <IconButton label="Delete" size="icon-sm" onClick={onDelete}>
            <Trash2 />
          </IconButton>
        ) : (
          <RefusableButton variant="ghost" size="icon-sm" refusal={deleteRefusal}>
            <Trash2 aria-hidden />
            <span className="sr-only">Delete</span>
          </RefusableButton>
        ))}
    </div>
  );
}

/** The same actions in one menu, for phones. An action that this person may not take says why. */
export function MoreMenu(props: MoreActionsProps) {
  const { orgId, run, shareRefusal, deleteRefusal, onShare, onCopyLink, onDelete } = props;
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <IconButton label="More" size="icon-sm" className="sm:hidden">
          <Ellipsis />
        </IconButton>
      </DropdownMenuTrigger>
      <DropdownMenuContent align="end" className="w-60">
        {props.pullAction !== null && (
          <DropdownMenuItem disabled={props.pushRefusal !== null} onSelect={props.onPull}>
            <GitPullRequestArrow aria-hidden />
            <Named name={props.pullAction} refusal={props.pushRefusal} />
          </DropdownMenuItem>
        )}
        <DropdownMenuItem disabled={shareRefusal !== null} onSelect={onShare}>
          <Share2 aria-hidden />
          <Named name="Share" refusal={shareRefusal} />
        </DropdownMenuItem>
        <DropdownMenuItem onSelect={onCopyLink}>
          <Link2 aria-hidden />
          Copy link
        </DropdownMenuItem>
        <DropdownMenuSeparator />
        <ExportItems orgId={orgId} runId={run.id} />
        {!isLive(run) && (
          <>
            <DropdownMenuSeparator />
            <DropdownMenuItem variant="destructive" disabled={deleteRefusal !== null} onSelect={onDelete}>
              <Trash2 aria-hidden />
              <Named name="Delete" refusal={deleteRefusal} />
            </DropdownMenuItem>
          </>
        )}
      </DropdownMenuContent>
    </DropdownMenu>
  );
}

function Named({ name, refusal }: { name: string; refusal: string | null }) {
  return (
    <span className="min-w-0">
      {name}
      {refusal !== null && <span className="block text-[13px]">{refusal}</span>}
    </span>
  );
}
