"use client";

import { useMemo } from "react";
import { DiffCounts } from "#components/text/diff-counts.tsx";
import { DiffLayoutSwitch } from "#components/text/diff-layout-switch.tsx";
import { FoldedText } from "#components/text/fold.tsx";
import { entryOutcome, entryResult } from "#components/trace/entry/parts/entry-meaning.ts";
import { outcomeLooks } from "#components/trace/entry/parts/outcome-look.ts";
import { useStoredOpen } from "#components/trace/reader/trace-context.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { fieldsOf } from "#lib/contract/json-fields.ts";
import { hiddenChanges } from "#lib/entry/file-changes.ts";
import { headlineOf, type ToolView } from "#lib/entry/tool-view.ts";
import { ChangedFileDiff, changedFilesOf } from "./changed-files.tsx";
import { answerOf } from "./folded-answer.tsx";
import { ToolBody, ToolFrame, type ToolProps } from "./tool-frame.tsx";
import { ToolOutput } from "./tool-output.tsx";

/** Changed files, each as a diff; if the edit was not applied, first the reason, then the intended change. */
export function EditTool({ entry, view }: ToolProps<Extract<ToolView, { kind: "edit" }>>) {
  const outcome = entryOutcome(entry);
  const [isPatchOpen, setPatchOpen] = useStoredOpen(`${entry.seq}.patch`);
  const files = useMemo(() => changedFilesOf(view), [view]);
  const counts = files.reduce(
    (sum, { added, removed }) => ({ added: sum.added + added, removed: sum.removed + removed }),
    { added: 0, removed: 0 },
  );
  const [onlyPath, otherPath] = new Set(files.map((file) => file.path));
  const isApplied = outcome === "ok" || outcome === "unknown";
  // A share link without tool output names the files only.
  const isHidden = hiddenChanges(fieldsOf(entry.tool_input)).length > 0;
  const isNamed = files.length > 1 || files.some(({ status }) => status === "deleted" || status === "renamed");
  const patch = view.patch;
  const { folded, shown } = answerOf(entry);
  // Without a visible change, the result is the main content.
  const isBare = files.length === 0 && patch === null;
  return (
    <ToolFrame
      entry={entry}
      headline={headlineOf(view)}
      folded={isBare ? [] : folded}
      // The layout switch queries this container's width. A container sized by its own content would have to be styled during
      // layout, which is slower.
      className="@container/diff"
      chips={files.length > 0 && isApplied && !isHidden && <DiffCounts {...counts} />}
      action={
        files.length > 0 && (
          <>
            {!isHidden && <DiffLayoutSwitch className="size-7" />}
            {otherPath === undefined && <CopyButton text={onlyPath ?? ""} label="Copy path" className="size-7" />}
          </>
        )
      }
    >
      {!isApplied && (
        <>
          <NotApplied outcome={outcome} />
          {shown}
          {files.length > 0 && !isHidden && (
            <p className="border-border border-t px-3 py-1 text-muted-foreground text-xs">The intended change</p>
          )}
        </>
      )}
      {(isHidden && !isNamed ? [] : files).map((file) => (
        <ToolBody key={file.key}>
          <ChangedFileDiff file={file} isNamed={isNamed} isHidden={isHidden} head={24} />
        </ToolBody>
      ))}
      {patch !== null && (
        <ToolBody label="Patch">
          <FoldedText text={patch} head={16} isOpen={isPatchOpen} onOpenChange={setPatchOpen} className="py-1.5" />
        </ToolBody>
      )}
      {isApplied && isBare && <ToolOutput seq={entry.seq} result={entryResult(entry)} />}
    </ToolFrame>
  );
}

const notAppliedWords = {
  failed: "The edit was not applied.",
  refused: "The edit was not applied.",
  cancelled: "The edit was stopped.",
  unfinished: "The edit has no result, so it may not have been applied.",
};

function NotApplied({ outcome }: { outcome: keyof typeof notAppliedWords }) {
  const { icon: Icon, color } = outcomeLooks[outcome];
  return (
    <p className={`flex items-start gap-1.5 px-3 pb-2 text-[13px] ${color}`}>
      <Icon aria-hidden className="mt-0.5 size-3.5 shrink-0" />
      {notAppliedWords[outcome]}
    </p>
  );
}
