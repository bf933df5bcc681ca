"use client";

import { FolderTree, Pilcrow } from "lucide-react";
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { changesKeys } from "#components/keys/tab-key-tables.ts";
import { useKeys } from "#components/keys/use-keys.ts";
import { formatCount, formatCountOf } from "#components/shell/format-number.ts";
import { DiffCounts } from "#components/text/diff-counts.tsx";
import { DiffLayoutSwitch } from "#components/text/diff-layout-switch.tsx";
import type { DiffLine } from "#components/text/diff-rows.ts";
import { rowHeightPx } from "#components/text/lazy-rows.tsx";
import { ChoosingLinesContext } from "#components/text/line-choice.ts";
import { Alert, AlertDescription, AlertTitle } from "#components/ui/alert.tsx";
import { Button } from "#components/ui/button.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { Dialog, DialogContent, DialogHeader, DialogTitle } from "#components/ui/dialog.tsx";
import { IconButton } from "#components/ui/icon-button.tsx";
import { scrolledByKeyboard } from "#components/ui/scrolled-by-keyboard.ts";
import { useKeptFocus } from "#components/ui/use-kept-focus.ts";
import type { Run } from "#lib/contract/runs/run.ts";
import { pathOf } from "#lib/entry/patch.ts";
import type { IndexedFile } from "#lib/entry/patch-index.ts";
import { ChangedFile } from "./changed-file.tsx";
import { type ChosenLines, type LineChoice, useChoosingLines } from "./choose-lines.tsx";
import { CommentDock, type OpenComment } from "./comment-dock.tsx";
import { inTreeOrder } from "./file-tree.ts";
import { FileTree } from "./file-tree-view.tsx";
import { LazyPlace } from "./lazy-place.tsx";
import { placeOf, quoteOf, useReviewComments } from "./review-comments.ts";
import {
  focusChosen,
  groupIdOf,
  groupOf,
  groupSize,
  idOf,
  placeInView,
  placeOfId,
  scrollToTop,
  showLine,
} from "./review-places.ts";
import { useViewedFiles } from "./viewed-files.ts";
import { useWhiteSpace } from "./white-space.ts";

type ReviewProps = {
  orgId: number;
  run: Run;
  sinceTurn: number;
  /** In the patch's order. */
  files: readonly IndexedFile[];
  isShown: boolean;
  /** Whether this person may write to the run, and the run can take a message. */
  mayComment: boolean;
  /** Shown beside the heading: the choice of turns whose changes are shown. */
  turnChoice: ReactNode;
  /** Shown below the heading. */
  children: ReactNode;
  onRun: (run: Run, prompt: string) => void;
};

/** Files with more changed lines are closed at first. */
const openLinesMax = 1_000;
const headerPx = 35;
/** Number of files rendered before it is known what is in view. */
const firstFiles = 3;
const noComments: ReadonlySet<string> = new Set();

/** Changed files: a tree beside their diffs, ticks for what was viewed, and comments that become the next turn. */
export function Review(props: ReviewProps) {
  const { orgId, run, sinceTurn, isShown, mayComment, onRun } = props;
  const files = useMemo(() => inTreeOrder(props.files, pathOf), [props.files]);
  const groups = useMemo(() => grouped(files), [files]);
  const { viewed, setViewed } = useViewedFiles(run.id, files);
  const { comments, add, remove } = useReviewComments(run.id);
  const { isIgnored, setIgnored } = useWhiteSpace();
  const [current, setCurrent] = useState(0);
  const [isTreeOpen, setTreeOpen] = useState(false);
  const [opened, setOpened] = useState<ReadonlyMap<string, boolean>>(new Map());
  const [open, setOpen] = useState<(OpenComment & { chosen: ChosenLines }) | null>(null);
  const scroller = useRef<HTMLElement>(null);
  const keptFocus = useKeptFocus(scroller);

  const go = useCallback((index: number) => {
    setCurrent(index);
    setTreeOpen(false);
    // First the file's group comes into view and is rendered, then its header; heights around it are corrected on the way.
    const arrive = (tries: number) => {
      const file = document.getElementById(idOf(index));
      if (scroller.current === null) return;
      const place = file ?? document.getElementById(groupIdOf(groupOf(index)));
      if (place !== null) scrollToTop(scroller.current, place);
      const header = file?.querySelector<HTMLElement>("[data-file-header]");
      if (header != null) header.focus({ preventScroll: true });
      else if (tries > 0) requestAnimationFrame(() => arrive(tries - 1));
    };
    arrive(30);
  }, []);
  useKeys(
    changesKeys,
    (act) =>
      go(Math.max(0, Math.min(placeInView(scroller.current, current) + (act === "next" ? 1 : -1), files.length - 1))),
    isShown && files.length > 0,
  );

  const onOpen = useCallback((file: IndexedFile | { oldPath: string | null }, isOpen: boolean) => {
    setOpened((before) => new Map(before).set(pathOf(file as IndexedFile), isOpen));
  }, []);
  const onViewed = useCallback<typeof setViewed>(
    (file, isViewed) => {
      setOpened((before) => new Map([...before].filter(([path]) => path !== pathOf(file))));
      setViewed(file, isViewed);
    },
    [setViewed],
  );
  const onChoose = useCallback((path: string, chosen: ChosenLines, lines: readonly DiffLine[], isDone: boolean) => {
    const place = placeOf(lines);
    if (place !== null) setOpen({ path, chosen, place, code: quoteOf(lines), isDone });
  }, []);
  useEffect(() => {
    // The form below the list takes up part of its height.
    if (open !== null) requestAnimationFrame(() => showLine(scroller.current, open));
  }, [open]);
  const commented = useMemo(() => linesWithComments(comments), [comments]);
  const choices = useRef(new Map<string, LineChoice>());
  const choiceOf = (path: string): LineChoice | null => {
    if (!mayComment) return null;
    const [chosen, lines] = [open?.path === path ? open.chosen : null, commented.get(path) ?? noComments];
    const known = choices.current.get(path);
    // Keeps its identity while nothing changes, so that choosing lines in one file does not render the others.
    if (known !== undefined && known.chosen === chosen && known.commented === lines) return known;
    const choice: LineChoice = { chosen, commented: lines, onChoose: (...choosing) => onChoose(path, ...choosing) };
    choices.current.set(path, choice);
    return choice;
  };
  const isOpen = (file: IndexedFile) => opened.get(pathOf(file)) ?? (!viewed.has(file) && isOpenAtFirst(file));
  const render = (id: string): ReactNode => {
    const file = files[placeOfId(id)];
    if (file === undefined) return null;
    const path = pathOf(file);
    const isViewed = viewed.has(file);
    return (
      <ChangedFile
        {...{ orgId, sinceTurn, file, isViewed, onOpen, onViewed }}
        runId={run.id}
        isOpen={isOpen(file)}
        ignoresWhiteSpace={isIgnored}
        choice={choiceOf(path)}
      />
    );
  };
  const renderGroup = (id: string): ReactNode => {
    const group = placeOfId(id);
    return groups[group]?.map((file, index) => (
      <LazyPlace
        key={pathOf(file)}
        id={idOf(group * groupSize + index)}
        className="pb-4"
        heightPx={heightOf(file, isOpen(file))}
        startsNear={group === 0 && index < firstFiles}
        scroller={scroller}
        render={render}
      />
    ));
  };
  const added = files.reduce((sum, file) => sum + file.added, 0);
  const removed = files.reduce((sum, file) => sum + file.removed, 0);
  const tree = <FileTree {...{ files, viewed, current }} onGo={go} />;
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col" {...keptFocus}>
      <div className="flex min-h-0 min-w-0 flex-1">
        {files.length > 1 && (
          <aside aria-label="Files" className="hidden w-64 shrink-0 border-border border-r p-3 lg:flex xl:w-72">
            {tree}
          </aside>
        )}
        <section
          ref={scroller}
          aria-label="Changed files"
          className="relative min-h-0 min-w-0 flex-1 overflow-y-auto focus-visible:-outline-offset-2"
          {...scrolledByKeyboard}
        >
          <div className="@container/diff mx-auto max-w-[1080px] px-4 pt-4">
            <div className="grid grid-cols-1 gap-3 pb-4">
              <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
                <h2 className="font-medium">{formatCountOf(files.length, "file")} changed</h2>
                <DiffCounts added={added} removed={removed} />
                {viewed.size > 0 && (
                  <span className="text-[13px] text-muted-foreground tabular-nums">
                    {viewed.size === files.length ? "all viewed" : `${formatCount(viewed.size)} viewed`}
                  </span>
                )}
                {run.branch !== null && (
                  <span className="flex min-w-0 items-center gap-1 text-[13px] text-muted-foreground">
                    on <code className="min-w-0 truncate text-foreground">{run.branch}</code>
                    <CopyButton text={run.branch} label="Copy branch name" className="-my-1.5" />
                  </span>
                )}
                {props.turnChoice}
                <span className="ml-auto flex items-center">
                  {files.length > 1 && (
                    <Button variant="ghost" size="sm" className="-my-1.5 lg:hidden" onClick={() => setTreeOpen(true)}>
                      <FolderTree aria-hidden />
                      Files
                    </Button>
                  )}
                  <IconButton
                    label="Ignore whitespace"
                    size="icon-sm"
                    aria-pressed={isIgnored}
                    className="-my-1.5 aria-pressed:bg-accent"
                    onClick={() => setIgnored(!isIgnored)}
                  >
                    <Pilcrow />
                  </IconButton>
                  <DiffLayoutSwitch className="-my-1.5" />
                </span>
              </div>
              {props.children}
            </div>
            <ChoosingLinesContext value={useChoosingLines}>
              {groups.map((group, index) => (
                <LazyPlace
                  key={pathOf(group[0] as IndexedFile)}
                  id={groupIdOf(index)}
                  heightPx={group.reduce((sum, file) => sum + heightOf(file, isOpen(file)), 0)}
                  startsNear={index === 0}
                  scroller={scroller}
                  render={renderGroup}
                />
              ))}
            </ChoosingLinesContext>
          </div>
        </section>
      </div>
      {mayComment && (
        <CommentDock
          {...{ orgId, run, open, comments, onRun }}
          onAdd={add}
          onRemove={remove}
          onClose={() => {
            focusChosen(open);
            setOpen(null);
          }}
        />
      )}
      <Dialog open={isTreeOpen} onOpenChange={setTreeOpen}>
        <DialogContent aria-describedby={undefined} className="flex h-[80dvh] flex-col">
          <DialogHeader>
            <DialogTitle>Files</DialogTitle>
          </DialogHeader>
          {tree}
        </DialogContent>
      </Dialog>
    </div>
  );
}

/** Says that the diff could not be stored or shown as a whole. */
export function IncompleteDiff({ run }: { run: Run }) {
  return (
    <Alert variant="warning">
      <AlertTitle>The diff is incomplete</AlertTitle>
      <AlertDescription>
        It was too large to store or show in full. The branch has everything
        {run.branch !== null && (
          <>
            : <code>{run.branch}</code>
          </>
        )}
        .
      </AlertDescription>
    </Alert>
  );
}

/** Creating thousands of places at once would take longer than the first files: a group's places are created near the view. */
function grouped<File>(files: readonly File[]): File[][] {
  const count = Math.ceil(files.length / groupSize);
  return Array.from({ length: count }, (_, group) => files.slice(group * groupSize, (group + 1) * groupSize));
}

function isOpenAtFirst(file: IndexedFile): boolean {
  return file.added + file.removed <= openLinesMax;
}

/** Estimated height of a file, with its margin; the first 200 rows are shown. */
function heightOf(file: IndexedFile, isOpen: boolean): number {
  if (!isOpen) return headerPx + 16;
  return headerPx + 18 + (file.rows > 203 ? 200 * rowHeightPx + 36 : Math.max(1, file.rows) * rowHeightPx);
}

function linesWithComments(comments: ReturnType<typeof useReviewComments>["comments"]) {
  const found = new Map<string, Set<string>>();
  for (const { path, side, from, to } of comments) {
    const lines = found.get(path) ?? new Set();
    for (let line = from; line <= to; line += 1) lines.add(`${side === "after" ? "+" : "-"}${line}`);
    found.set(path, lines);
  }
  return found;
}
