import { JsonTree } from "#components/text/json-tree.tsx";
import { Markdown } from "#components/text/markdown.tsx";
import { saidIn } from "#components/trace/entry/parts/observation.ts";
import { Thought } from "#components/trace/entry/parts/thought.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";
import type { CardProps } from "./card-props.ts";

/** The answer of a turn. */
export function FinalAnswerCard({ entry }: CardProps) {
  const { title, text, rest } = saidIn(entry.observation);
  return (
    <div className="grid gap-2">
      <Thought text={entry.thought} seq={entry.seq} />
      <div className="rounded-lg border border-status-completed/40 bg-card">
        <div className="flex items-center justify-between gap-2 border-border border-b py-1 pr-1 pl-4">
          <h2 className="font-medium text-[13px]">{title ?? "Answer"}</h2>
          {text !== null && <CopyButton text={text} label="Copy answer" />}
        </div>
        <div className="grid gap-3 px-4 py-3">
          {text !== null && <Markdown isTitled text={text} />}
          {rest !== null && <JsonTree value={rest} label="Answer" />}
        </div>
      </div>
    </div>
  );
}
