import { ArrowRight, CornerDownRight, ExternalLink } from "lucide-react";
import Link from "next/link";
import { runLinkOf } from "#components/trace/observation.ts";
import { JsonTree } from "#components/trace/text/json-tree.tsx";
import { VisibleText } from "#components/trace/text/visible-text.tsx";
import { messageTypeLabels } from "#lib/entry/labels.ts";
import type { CardProps } from "./card-props.ts";
import { Thought } from "./thought.tsx";

/** The way to another run: one that this run started, or was started by. One that an agent's card shows already is a line. */
export function RunLinkCard({ entry, isJoined = false }: CardProps) {
  const { text, relation } = runLinkOf(entry);
  if (isJoined) {
    return (
      <div className="flex min-w-0 items-center gap-1.5 text-[13px] text-muted-foreground">
        <CornerDownRight aria-hidden className="size-3.5 shrink-0" />
        <RunLinkLine entry={entry} />
      </div>
    );
  }
  return (
    <div className="grid gap-2 rounded-lg border bg-card px-4 py-3">
      <h2 className="font-medium text-[13px]">
        {relation === null ? messageTypeLabels.AGENT_RUN_LINK : "Log analysis"}
      </h2>
      <Thought text={entry.thought} seq={entry.seq} />
      {text !== null && (
        <p className="[overflow-wrap:anywhere]">
          <VisibleText text={text} />
        </p>
      )}
      <RunLinkLine entry={entry} />
    </div>
  );
}

/** The link of an AGENT_RUN_LINK entry by itself; what it holds as JSON where it is none. */
export function RunLinkLine({ entry }: CardProps) {
  const { runId, href, relation } = runLinkOf(entry);
  if (runId !== null) {
    return (
      <Link href={`/runs/${runId}`} className={linkClasses}>
        <ArrowRight aria-hidden className="size-3.5 shrink-0" />
        {relation === null ? "Run" : relations[relation]} #{runId}
      </Link>
    );
  }
  if (href === null) {
    const value = entry.observation ?? entry.tool_input ?? entry.tool_output ?? null;
    // A shared run does not lead to another one.
    if (value === null)
      return <span className="text-[13px] text-muted-foreground">The other run is not shown here.</span>;
    return <JsonTree value={value} label="Link" />;
  }
  return (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow" className={linkClasses}>
      <ExternalLink aria-hidden className="size-3.5 shrink-0" />
      <span className="min-w-0 truncate">
        <VisibleText text={href} />
      </span>
    </a>
  );
}

const relations = { analysis_of: "Analysis of run", analysed_by: "Analyzed by run" } as const;

const linkClasses =
  "inline-flex min-w-0 items-center gap-1.5 justify-self-start text-link underline underline-offset-2";
