import { ExternalLink } from "lucide-react";
import { JsonTree } from "#components/text/json-tree.tsx";
import { VisibleText } from "#components/text/visible-text.tsx";
import { entryLookOf } from "#components/trace/entry/parts/entry-look.ts";
import { FoldedMarkdown } from "#components/trace/entry/parts/folded-markdown.tsx";
import { observationOf } from "#components/trace/entry/parts/observation.ts";
import { Thought } from "#components/trace/entry/parts/thought.tsx";
import { ToolCard } from "#components/trace/entry/tools/tool-card.tsx";
import { cn } from "#components/ui/class-names.ts";
import type { CardProps } from "./card-props.ts";

/** A pull request event, an issue comment, or an unknown type: its title, words and links. */
export function NoticeCard({ entry }: CardProps) {
  const { label } = entryLookOf(entry);
  const { title, text, links, rest } = observationOf(entry.observation);
  const isBad = entry.message_type === "PR_CREATION_FAILED";
  return (
    <div className="grid gap-2">
      <div
        className={cn(
          "grid gap-2 rounded-lg border bg-card px-4 py-3 [--surface:var(--card)]",
          isBad && "border-status-failed/40",
        )}
      >
        <h2 className={cn("font-medium text-[13px]", isBad && "text-status-failed")}>
          {label}
          {title !== null && (
            <>
              {": "}
              <VisibleText text={title} />
            </>
          )}
        </h2>
        <Thought text={entry.thought} seq={entry.seq} />
        {text !== null && <FoldedMarkdown isTitled text={text} openKey={`${entry.seq}.text`} />}
        {links.map(({ href, label: address }) => (
          <a
            key={href}
            href={href}
            target="_blank"
            rel="noopener noreferrer nofollow"
            className="inline-flex min-w-0 items-center gap-1.5 justify-self-start text-link underline underline-offset-2"
          >
            <ExternalLink aria-hidden className="size-3.5 shrink-0" />
            <span className="min-w-0 truncate">
              <VisibleText text={address} />
            </span>
          </a>
        ))}
        {rest !== null && <JsonTree value={rest} label={label} />}
      </div>
      {entry.tool_name !== null && <ToolCard entry={entry} />}
    </div>
  );
}
