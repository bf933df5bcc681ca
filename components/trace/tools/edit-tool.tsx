"use client";

import { useMemo } from "react";
import { DiffCounts } from "#components/trace/text/diff-counts.tsx";
import { DiffLayoutSwitch } from "#components/trace/text/diff-layout-switch.tsx";
import { FoldedText } from "#components/trace/text/fold.tsx";
import { useKeptOpen } from "#components/trace/trace-context.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { ChangedFileDiff, changedFilesOf } from "./changed-files.tsx";
import { ToolBody, ToolFrame, type ToolProps } from "./tool-frame.tsx";
import { headlineOf, type ToolView } from "./tool-kind.ts";
import { hasFailed } from "./tool-result.ts";

/** Changed files, each as a diff. */
export function EditTool({ entry, view, result }: ToolProps<Extract<ToolView, { kind: "edit" }>>) {
  const [isPatchOpen, setPatchOpen] = useKeptOpen(`${entry.seq}.patch`);
  const files = useMemo(() => changedFilesOf(view), [view]);
  const counts = files.reduce(
    (sum, { added, removed }) => ({ added: sum.added + added, removed: sum.removed + removed }),
    { added: 0, removed: 0 },
  );
  const [onlyPath, otherPath] = new Set(files.map((file) => file.path));
  const output = result.output ?? "";
  // An edit that worked says only that it worked.
  const hasWords = output.trim() !== "" && (hasFailed(result) || files.length === 0);
  return (
    <ToolFrame
      entry={entry}
      headline={headlineOf(view)}
      result={result}
      // Asked for its width by the switch: what is laid out by its own width is styled while it is laid out, which takes longer.
      className="@container/diff"
      chips={files.length > 0 && <DiffCounts {...counts} />}
      action={
        files.length > 0 && (
          <>
            <DiffLayoutSwitch className="size-7" />
            {otherPath === undefined && <CopyButton text={onlyPath ?? ""} label="Copy path" className="size-7" />}
          </>
        )
      }
    >
      {files.map((file) => (
        <ToolBody key={file.key}>
          <ChangedFileDiff file={file} isNamed={files.length > 1} head={24} />
        </ToolBody>
      ))}
      {files.length === 0 && view.patch !== null && (
        <ToolBody label="Patch">
          <FoldedText text={view.patch} head={16} isOpen={isPatchOpen} onOpenChange={setPatchOpen} className="py-1.5" />
        </ToolBody>
      )}
      {hasWords && (
        <ToolBody>
          <FoldedText text={output} ansi head={6} className="py-2" />
        </ToolBody>
      )}
    </ToolFrame>
  );
}
