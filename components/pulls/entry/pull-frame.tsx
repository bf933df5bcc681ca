import { ExternalLink } from "lucide-react";
import type { ReactNode } from "react";
import { VisibleText } from "#components/text/visible-text.tsx";
import { cn } from "#components/ui/class-names.ts";

export type Tone = "plain" | "good" | "bad" | "note";

const borders: Record<Tone, string> = {
  plain: "border-border",
  good: "border-status-completed/40",
  bad: "border-status-failed/40",
  note: "border-status-waiting/40",
};
const heads: Record<Tone, string> = {
  plain: "",
  good: "text-status-completed",
  bad: "text-status-failed",
  note: "text-status-waiting",
};

/** Frame of a card about a pull request: its heading, and a fact or link at the right. */
export function PullFrame({
  title,
  tone = "plain",
  aside,
  children,
}: {
  title: ReactNode;
  tone?: Tone;
  aside?: ReactNode;
  children?: ReactNode;
}) {
  return (
    <div
      className={cn(
        "grid grid-cols-1 gap-2 rounded-lg border bg-card px-4 py-3 [--surface:var(--card)]",
        borders[tone],
      )}
    >
      <div className="flex flex-wrap items-baseline justify-between gap-x-3 gap-y-1">
        <h2 className={cn("min-w-0 font-medium text-[13px] [overflow-wrap:anywhere]", heads[tone])}>{title}</h2>
        {aside}
      </div>
      {children}
    </div>
  );
}

/** A link to the code host; plain text if there is no address. */
export function HostLink({ url, children }: { url: string | null; children: string }) {
  if (url === null) return <VisibleText text={children} />;
  return (
    <a
      href={url}
      target="_blank"
      rel="noopener noreferrer nofollow"
      className="inline-flex max-w-full items-center gap-1 text-link underline underline-offset-2"
    >
      <span className="min-w-0 [overflow-wrap:anywhere]">
        <VisibleText text={children} />
      </span>
      <ExternalLink aria-hidden className="size-3.5 shrink-0" />
    </a>
  );
}

/** Abbreviated hash of a commit. */
export function Commit({ name }: { name: string | null }) {
  if (name === null) return null;
  return (
    <code className="text-muted-foreground text-xs" title={name}>
      {name.slice(0, 10)}
    </code>
  );
}
