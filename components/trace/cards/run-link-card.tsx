import { ArrowRight, ExternalLink } from "lucide-react";
import Link from "next/link";
import { runLinkOf } from "#components/trace/observation.ts";
import { JsonTree } from "#components/trace/text/json-tree.tsx";
import { VisibleText } from "#components/trace/text/visible-text.tsx";
import type { CardProps } from "./card-props.ts";
import { Thought } from "./thought.tsx";

/** The way to another run: one that this run started, or was started by. */
export function RunLinkCard({ entry }: CardProps) {
  const { runId, href, text } = runLinkOf(entry);
  return (
    <div className="grid gap-2 rounded-lg border bg-card px-4 py-3">
      <h2 className="font-medium text-[13px]">Another run</h2>
      <Thought text={entry.thought} seq={entry.seq} />
      {text !== null && (
        <p className="[overflow-wrap:anywhere]">
          <VisibleText text={text} />
        </p>
      )}
      {runId !== null ? (
        <Link href={`/runs/${runId}`} className={linkClasses}>
          <ArrowRight aria-hidden className="size-3.5 shrink-0" />
          Run #{runId}
        </Link>
      ) : href !== null ? (
        <a href={href} target="_blank" rel="noopener noreferrer nofollow" className={linkClasses}>
          <ExternalLink aria-hidden className="size-3.5 shrink-0" />
          <span className="min-w-0 truncate">
            <VisibleText text={href} />
          </span>
        </a>
      ) : (
        <JsonTree value={entry.observation ?? entry.tool_input ?? entry.tool_output} label="Link" />
      )}
    </div>
  );
}

const linkClasses =
  "inline-flex min-w-0 items-center gap-1.5 justify-self-start text-link underline underline-offset-2";
