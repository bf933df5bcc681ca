"use client";

import { DiffCounts } from "#components/text/diff-counts.tsx";
import { type DiffSource, diffOf } from "#components/text/diff-source.ts";
import { DiffView } from "#components/text/diff-view.tsx";
import { VisibleText } from "#components/text/visible-text.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";
import type { FileChange } from "#lib/entry/file-changes.ts";
import { shortPath } from "#lib/entry/short-path.ts";

/** One file of an edit, ready for display: its changes in order. */
export type ChangedFile = {
  key: string;
  path: string;
  oldPath: string | null;
  status: FileChange["status"];
  changes: { key: string; source: DiffSource }[];
  added: number;
  removed: number;
};

/**
 * Files changed by an edit; consecutive changes of the same file are joined. None if the patch is in another format and must be
 * shown as it is. Compares texts: call it in useMemo.
 */
export function changedFilesOf(view: { changes: readonly FileChange[] }): ChangedFile[] {
  const files: ChangedFile[] = [];
  for (const [index, { path, oldPath, status, source }] of view.changes.entries()) {
    const { added, removed } = diffOf(source);
    const change = { key: String(index), source };
    const last = files.at(-1);
    if (last !== undefined && last.path === path) {
      last.changes.push(change);
      last.added += added;
      last.removed += removed;
    } else files.push({ key: `${index} ${path}`, path, oldPath, status, changes: [change], added, removed });
  }
  return files;
}

type ChangedFileDiffProps = {
  file: ChangedFile;
  /** Whether the file's name is above its diff. */
  isNamed: boolean;
  /** Whether a share link leaves out what changed. */
  isHidden?: boolean;
  /** Lines shown of each change before "Show all". */
  head: number;
};

/** Changes of one file. */
export function ChangedFileDiff({ file, isNamed, isHidden = false, head }: ChangedFileDiffProps) {
  const { path, oldPath, status, changes, added, removed } = file;
  return (
    <>
      {isNamed && (
        <div className="flex items-center gap-2 border-border border-b px-3 py-1">
          <span className="min-w-0 flex-1 truncate font-mono text-[13px]" title={path}>
            {oldPath !== null && (
              <span className="text-muted-foreground">
                <VisibleText text={shortPath(oldPath)} /> →{" "}
              </span>
            )}
            <VisibleText text={shortPath(path)} />
          </span>
          {status !== "modified" && <span className="text-muted-foreground text-xs">{status}</span>}
          {!isHidden && <DiffCounts added={added} removed={removed} />}
          <CopyButton text={path} label={`Copy path of ${shortPath(path)}`} className="-my-1 -mr-1.5 size-7" />
        </div>
      )}
      {(isHidden ? [] : changes).map((change, place) => (
        <div key={change.key} className={place === 0 ? undefined : "border-border border-t border-dashed"}>
          {isEmpty(change.source) ? (
            <p className="px-3 py-1.5 text-[13px] text-muted-foreground">{wholeFileWords[status]}</p>
          ) : (
            <DiffView source={change.source} path={path} head={head} />
          )}
        </div>
      ))}
    </>
  );
}

/** Shown for a change of a whole file whose lines are not known. */
const wholeFileWords: Record<FileChange["status"], string> = {
  added: "An empty file.",
  deleted: "The file is deleted.",
  renamed: "Renamed without changes.",
  modified: "No text changed.",
};

function isEmpty(source: DiffSource): boolean {
  return "hunks" in source ? source.hunks.length === 0 : (source.oldText ?? "") === "" && source.newText === "";
}
