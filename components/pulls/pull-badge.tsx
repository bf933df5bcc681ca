import {
  CircleDotDashed,
  GitBranch,
  GitMerge,
  GitPullRequest,
  GitPullRequestClosed,
  GitPullRequestDraft,
  type LucideIcon,
} from "lucide-react";
import { Badge } from "#components/ui/badge.tsx";
import { cn } from "#components/ui/class-names.ts";
import type { PullRequest } from "#lib/contract/runs/pull-request.ts";
import { progressWords, pullWords } from "./pull-words.ts";

/** A run's pull request in a list: its number, or the work in progress on it. */
export function PullBadge({ pull, className }: { pull: PullRequest; className?: string }) {
  const { name, facts, tone } = pullWords(pull);
  const progress = progressWords(pull);
  const all = [name, ...facts].join(" · ");
  return (
    <Badge variant={tone} className={cn("min-w-0 shrink", className)} title={all}>
      <PullIcon pull={pull} />
      <span aria-hidden className="truncate">
        {progress ?? name}
      </span>
      <span className="sr-only">Pull request: {all}</span>
    </Badge>
  );
}

/** Icon of a pull request, by its state. */
export function PullIcon({ pull, className }: { pull: PullRequest; className?: string }) {
  const Icon = iconOf(pull);
  return <Icon aria-hidden className={cn(pull.stage !== null && "animate-turn", className)} />;
}

function iconOf({ state, stage, draft }: PullRequest): LucideIcon {
  if (stage !== null) return CircleDotDashed;
  if (state === "merged") return GitMerge;
  if (state === "closed" || state === "failed") return GitPullRequestClosed;
  if (state === "pushed") return GitBranch;
  return draft ? GitPullRequestDraft : GitPullRequest;
}
