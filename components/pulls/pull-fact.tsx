import { ExternalLink } from "lucide-react";
import { cn } from "#components/ui/class-names.ts";
import type { PullRequest } from "#lib/contract/runs/pull-request.ts";
import { PullIcon } from "./pull-badge.tsx";
import { type PullTone, pullWords } from "./pull-words.ts";

const colors: Record<PullTone, string> = {
  outline: "",
  running: "text-status-running",
  completed: "text-status-completed",
  failed: "text-status-failed",
  waiting: "text-status-waiting",
};

/** A run's pull request: a link to it on the code host, its state and its checks. Stays on one line unless it may wrap. */
export function PullFact({ pull, isWrapped = false }: { pull: PullRequest; isWrapped?: boolean }) {
  const { name, facts, tone } = pullWords(pull);
  const words = [name, ...facts].join(" · ");
  const title = pull.title === null ? words : `${pull.title}\n${words}`;
  return (
    <span className={cn("inline-flex items-center gap-x-1.5 align-middle", isWrapped && "flex-wrap")} title={title}>
      <PullIcon pull={pull} className={cn("size-3.5 shrink-0", colors[tone])} />
      {pull.url === null ? (
        <span>{name}</span>
      ) : (
        <a
          href={pull.url}
          target="_blank"
          rel="noopener noreferrer nofollow"
          className="inline-flex items-center gap-1 rounded-sm text-link underline-offset-2 hover:underline"
        >
          {name}
          <ExternalLink aria-hidden className="size-3" />
          <span className="sr-only">on the code host</span>
        </a>
      )}
      {facts.map((fact, index) => (
        <span key={fact} className={cn(index === 0 && colors[tone])}>
          <span aria-hidden className="text-muted-foreground">
            ·{" "}
          </span>
          {fact}
        </span>
      ))}
    </span>
  );
}
