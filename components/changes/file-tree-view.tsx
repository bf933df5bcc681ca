"use client";

import { ChevronRight, FileMinus, FilePen, FilePlus, FileSymlink, type LucideIcon } from "lucide-react";
import { type KeyboardEvent, useCallback, useMemo, useRef, useState } from "react";
import { LazyRows } from "#components/text/lazy-rows.tsx";
import { VisibleText } from "#components/text/visible-text.tsx";
import { SearchInput } from "#components/ui/search-input.tsx";
import { type PatchFile, pathOf } from "#lib/entry/patch.ts";
import { type TreeRow, treeRows } from "./file-tree.ts";

type FileTreeProps = {
  files: readonly PatchFile[];
  viewed: ReadonlySet<PatchFile>;
  /** Index of the file last navigated to. */
  current: number;
  onGo: (index: number) => void;
};

const looks: Record<PatchFile["status"], { Icon: LucideIcon; color: string; word: string }> = {
  added: { Icon: FilePlus, color: "text-status-completed", word: "added" },
  deleted: { Icon: FileMinus, color: "text-status-failed", word: "deleted" },
  renamed: { Icon: FileSymlink, color: "text-status-running", word: "renamed" },
  copied: { Icon: FileSymlink, color: "text-status-running", word: "copied" },
  modified: { Icon: FilePen, color: "text-status-waiting", word: "modified" },
};

/** The changed files as a tree with a filter. Arrow keys move, Enter goes to the file. */
export function FileTree({ files, viewed, current, onGo }: FileTreeProps) {
  const [filter, setFilter] = useState("");
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const [focused, setFocused] = useState<string | null>(null);
  const tree = useRef<HTMLDivElement>(null);
  const paths = useMemo(() => files.map(pathOf), [files]);
  const rows = useMemo(() => treeRows(paths, closed, filter), [paths, closed, filter]);
  const currentPath = paths[current] ?? null;
  const tabStop = [focused, currentPath].find((path) => rows.some((row) => row.path === path)) ?? rows[0]?.path;
  const setOpen = useCallback((path: string, isOpen: boolean) => {
    setClosed((before) => {
      const next = new Set(before);
      if (isOpen) next.delete(path);
      else next.add(path);
      return next;
    });
  }, []);
  const act = useCallback(
    (row: TreeRow) => (row.kind === "file" ? onGo(row.index) : setOpen(row.path, !row.isOpen)),
    [onGo, setOpen],
  );
  const focusAt = (place: number) => {
    const row = rows[Math.max(0, Math.min(place, rows.length - 1))];
    if (row === undefined) return;
    setFocused(row.path);
    const element = tree.current?.querySelector<HTMLElement>(`[data-path="${CSS.escape(row.path)}"]`);
    element?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const at = rows.findIndex(({ path }) => path === tabStop);
    const row = rows[at];
    if (row === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "ArrowDown") focusAt(at + 1);
    else if (event.key === "ArrowUp") focusAt(at - 1);
    else if (event.key === "Home") focusAt(0);
    else if (event.key === "End") focusAt(rows.length - 1);
    else if (event.key === "Enter" || event.key === " ") act(row);
    else if (event.key === "ArrowRight" && row.kind === "folder" && !row.isOpen) setOpen(row.path, true);
    else if (event.key === "ArrowLeft" && row.kind === "folder" && row.isOpen) setOpen(row.path, false);
    else if (event.key === "ArrowLeft")
      focusAt(rows.findLastIndex(({ depth }, place) => place < at && depth < row.depth));
    else return;
    event.preventDefault();
  };
  const renderRows = useCallback(
    (from: number, to: number) =>
      rows.slice(from, to).map((row) => {
        const file = row.kind === "file" ? files[row.index] : undefined;
        const state = { isTabStop: row.path === tabStop, isCurrent: row.path === currentPath };
        return (
          <Row
            key={row.path}
            {...{ row, file, onAct: act }}
            {...state}
            isViewed={file !== undefined && viewed.has(file)}
          />
        );
      }),
    [rows, files, viewed, tabStop, currentPath, act],
  );
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col gap-2">
      <SearchInput
        type="search"
        value={filter}
        onChange={(event) => setFilter(event.target.value)}
        placeholder="Filter files"
        aria-label="Filter files"
        boxClassName="shrink-0"
      />
      {rows.length === 0 && <p className="px-2 text-[13px] text-muted-foreground">No matching files.</p>}
      <div
        ref={tree}
        role="tree"
        aria-label="Changed files"
        className="relative min-h-0 flex-1 overflow-y-auto overflow-x-hidden text-[13px]"
        onKeyDown={onKeyDown}
      >
        <LazyRows
          count={rows.length}
          renderRows={renderRows}
          shown={rows.findIndex(({ path }) => path === tabStop)}
          heightPx={treeRowPx}
        />
      </div>
    </div>
  );
}

const treeRowPx = 28;

type RowProps = {
  row: TreeRow;
  file: PatchFile | undefined;
  isTabStop: boolean;
  isCurrent: boolean;
  isViewed: boolean;
  onAct: (row: TreeRow) => void;
};

function Row({ row, file, isTabStop, isCurrent, isViewed, onAct }: RowProps) {
  const look = file === undefined ? null : looks[file.status];
  return (
    // The tree handles the keys.
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree handles the keys
    <div
      role="treeitem"
      data-path={row.path}
      tabIndex={isTabStop ? 0 : -1}
      aria-level={row.depth + 1}
      aria-expanded={row.kind === "folder" ? row.isOpen : undefined}
      aria-current={isCurrent || undefined}
      aria-selected={isCurrent}
      title={row.path}
      className={`flex cursor-default items-center gap-1.5 rounded-sm pr-2 hover:bg-accent focus-visible:-outline-offset-2 ${isCurrent ? "bg-accent" : ""}`}
      style={{ height: treeRowPx, paddingLeft: 8 + row.depth * 12 }}
      onClick={() => onAct(row)}
    >
      {look === null ? (
        <ChevronRight
          aria-hidden
          className={`size-3.5 shrink-0 text-muted-foreground ${row.kind === "folder" && row.isOpen ? "rotate-90" : ""}`}
        />
      ) : (
        <look.Icon aria-hidden className={`size-3.5 shrink-0 ${look.color}`} />
      )}
      <span className={`min-w-0 truncate ${isViewed ? "text-muted-foreground" : ""}`}>
        <VisibleText text={row.name} />
        {look !== null && <span className="sr-only">{`, ${look.word}${isViewed ? ", viewed" : ""}`}</span>}
      </span>
    </div>
  );
}
