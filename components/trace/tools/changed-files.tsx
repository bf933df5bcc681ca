"use client";

import { DiffCounts } from "#components/trace/text/diff-counts.tsx";
import { DiffView, diffOf } from "#components/trace/text/diff-view.tsx";
import { parsePatch, pathOf } from "#components/trace/text/parse-patch.ts";
import { VisibleText } from "#components/trace/text/visible-text.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { type FileChange, shortPath, type ToolView } from "./tool-kind.ts";

/** One file of an edit, ready to be shown. */
export type ChangedFile = {
  key: string;
  path: string;
  source: Parameters<typeof diffOf>[0];
  added: number;
  removed: number;
};

/**
 * The files that an edit changes; none where its patch is of another format and must be shown as it is. Compares texts:
 * keep it in useMemo.
 */
export function changedFilesOf(view: Extract<ToolView, { kind: "edit" }>): ChangedFile[] {
  return view.changes.length > 0 ? filesOfChanges(view.changes) : filesOfPatch(view.patch);
}

type ChangedFileDiffProps = {
  file: ChangedFile;
  /** Whether the file's name stands above its diff. */
  isNamed: boolean;
  /** Lines shown before "Show all". */
  head: number;
};

/** What is changed in one file. */
export function ChangedFileDiff({ file, isNamed, head }: ChangedFileDiffProps) {
  return (
    <>
      {isNamed && (
        <div className="flex items-center gap-2 border-border border-b px-3 py-1">
          <span className="min-w-0 flex-1 truncate font-mono text-[13px]">
            <VisibleText text={shortPath(file.path)} />
          </span>
          <DiffCounts added={file.added} removed={file.removed} />
          <CopyButton
            text={file.path}
            label={`Copy path of ${shortPath(file.path)}`}
            className="-my-1 -mr-1.5 size-7"
          />
        </div>
      )}
      <DiffView source={file.source} path={file.path} head={head} />
    </>
  );
}

function filesOfChanges(changes: readonly FileChange[]): ChangedFile[] {
  return changes.map(({ path, ...source }, index) => {
    const { added, removed } = diffOf(source);
    return { key: `${index} ${path}`, path, source, added, removed };
  });
}

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
