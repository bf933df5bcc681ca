import { ArrowRight, ExternalLink } from "lucide-react";
import Link from "next/link";
import { JsonTree } from "#components/text/json-tree.tsx";
import { VisibleText } from "#components/text/visible-text.tsx";
import type { LogEntry } from "#lib/contract/logs/entry.ts";
import { runLinkOf } from "#lib/entry/run-link.ts";

/** The link of an AGENT_RUN_LINK entry; its content as JSON if it contains no link. */
export function RunLinkLine({ entry }: { entry: LogEntry }) {
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
    // A shared run does not link to other runs.
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
