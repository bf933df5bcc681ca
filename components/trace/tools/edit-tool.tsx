"use client";

import { useMemo } from "react";
import { DiffCounts, DiffView, diffOf } from "#components/trace/text/diff-view.tsx";
import { FoldedText } from "#components/trace/text/fold.tsx";
import { parsePatch, pathOf } from "#components/trace/text/parse-patch.ts";
import { VisibleText } from "#components/trace/text/visible-text.tsx";
import { useKeptOpen } from "#components/trace/trace-context.tsx";
import { ToolBody, ToolFrame, type ToolProps } from "./tool-frame.tsx";
import { type FileChange, headlineOf, shortPath, type ToolView } from "./tool-kind.ts";
import { hasFailed } from "./tool-result.ts";

/** Changed files, each as a diff. */
export function EditTool({ entry, view, result }: ToolProps<Extract<ToolView, { kind: "edit" }>>) {
  const [isPatchOpen, setPatchOpen] = useKeptOpen(`${entry.seq}.patch`);
  const files = useMemo(
    () => (view.changes.length > 0 ? filesOfChanges(view.changes) : filesOfPatch(view.patch)),
    [view],
  );
  const counts = files.reduce(
    (sum, { added, removed }) => ({ added: sum.added + added, removed: sum.removed + removed }),
    { added: 0, removed: 0 },
  );
  const output = result.output ?? "";
  // An edit that worked says only that it worked.
  const hasWords = output.trim() !== "" && (hasFailed(result) || files.length === 0);
  return (
    <ToolFrame
      name={entry.tool_name}
      headline={headlineOf(view)}
      result={result}
      chips={files.length > 0 && <DiffCounts {...counts} />}
    >
      {files.map((file) => (
        <ToolBody key={file.key}>
          {files.length > 1 && (
            <div className="flex items-center gap-2 border-border border-b px-3 py-1">
              <span className="min-w-0 flex-1 truncate font-mono text-[13px]">
                <VisibleText text={shortPath(file.path)} />
              </span>
              <DiffCounts added={file.added} removed={file.removed} />
            </div>
          )}
          <DiffView source={file.source} path={file.path} head={24} />
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

type ChangedFile = {
  key: string;
  path: string;
  source: Parameters<typeof diffOf>[0];
  added: number;
  removed: number;
};

function filesOfChanges(changes: readonly FileChange[]): ChangedFile[] {
  return changes.map(({ path, oldText, newText }, index) => {
    const source = { oldText, newText };
    const { added, removed } = diffOf(source);
    return { key: `${index} ${path}`, path, source, added, removed };
  });
}

/** The files of a unified diff; none where the patch is of another format and must be shown as it is. */
function filesOfPatch(patch: string | null): ChangedFile[] {
  if (patch === null) return [];
  return parsePatch(patch).files.map((file, index) => ({
    key: `${index} ${pathOf(file)}`,
    path: pathOf(file),
    source: { hunks: file.hunks },
    added: file.added,
    removed: file.removed,
  }));
}
