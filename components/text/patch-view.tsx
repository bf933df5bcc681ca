"use client";

import { ChevronRight } from "lucide-react";
import { type ReactNode, useId, useMemo, useRef } from "react";
import { Checkbox } from "#components/ui/checkbox.tsx";
import { type PatchFile, pathOf } from "#lib/entry/patch.ts";
import { describeBinary } from "./binary-size.ts";
import { DiffCounts } from "./diff-counts.tsx";
import { DiffView } from "./diff-view.tsx";
import { ignoreWhiteSpace } from "./ignore-white-space.ts";
import { describeMode } from "./mode-words.ts";
import { VisibleText } from "./visible-text.tsx";

const statusNames: Record<PatchFile["status"], string> = {
  added: "added",
  deleted: "deleted",
  renamed: "renamed",
  copied: "copied",
  modified: "",
};

type PatchFileViewProps = {
  file: PatchFile;
  isOpen: boolean;
  onOpen: (isOpen: boolean) => void;
  /** Whether lines that differ only in white space count as unchanged. */
  ignoresWhiteSpace?: boolean;
  /** Lines of the whole new file, once they have been fetched. */
  whole?: readonly string[] | null;
  /** Fetches these lines; absent if the patch has the whole file. */
  onWantWhole?: (() => void) | undefined;
  /** Shown for a binary file in place of its size. */
  picture?: ReactNode;
  /** Shown below the header, such as the reason that lines could not be fetched. */
  notice?: ReactNode;
  /** Whether the file is ticked as viewed, which closes it. */
  isViewed: boolean;
  onViewed: (isViewed: boolean) => void;
};

/** One file of a patch: a sticky header with path, kind of change, counts and a tick, and the diff below it. */
export function PatchFileView(props: PatchFileViewProps) {
  const { file, isOpen, onOpen, ignoresWhiteSpace = false, whole = null, onWantWhole, isViewed, onViewed } = props;
  const id = useId();
  const tickId = useId();
  const section = useRef<HTMLElement>(null);
  const source = useMemo(() => {
    if (!isOpen) return { hunks: [] };
    return { hunks: ignoresWhiteSpace ? ignoreWhiteSpace(file.hunks) : file.hunks, whole };
  }, [file, isOpen, ignoresWhiteSpace, whole]);
  const kind = [statusNames[file.status], describeMode(file)].filter(Boolean).join(", ");
  const isOnlyWhiteSpace = ignoresWhiteSpace && source.hunks.length === 0 && file.added + file.removed > 0;
  return (
    <section
      ref={section}
      className="min-w-0 overflow-clip rounded-md border border-border bg-card"
      aria-label={pathOf(file)}
    >
      <div className={`sticky top-0 z-10 flex items-center bg-card ${isOpen ? "border-border border-b" : ""}`}>
        <button
          type="button"
          className="flex min-w-0 flex-1 items-center gap-2 px-2 py-1.5 text-left hover:bg-accent focus-visible:-outline-offset-2"
          aria-expanded={isOpen}
          aria-controls={id}
          data-file-header=""
          onClick={() => onOpen(!isOpen)}
        >
          <ChevronRight
            className={`size-4 shrink-0 text-muted-foreground ${isOpen ? "rotate-90" : ""}`}
            aria-hidden="true"
          />
          <span className="min-w-0 flex-1 font-mono text-[13px] [overflow-wrap:anywhere]">
            {file.oldPath !== null && file.newPath !== null && file.oldPath !== file.newPath && (
              <span className="text-muted-foreground">
                <VisibleText text={file.oldPath} /> →{" "}
              </span>
            )}
            <VisibleText text={pathOf(file)} />
          </span>
          {kind !== "" && <span className="text-muted-foreground text-xs">{kind}</span>}
          {file.isBinary ? (
            <span className="text-muted-foreground text-xs">binary</span>
          ) : (
            <DiffCounts added={file.added} removed={file.removed} />
          )}
        </button>
        <label
          htmlFor={tickId}
          className="flex shrink-0 items-center gap-1.5 self-stretch px-3 text-[13px] text-muted-foreground"
        >
          <Checkbox
            id={tickId}
            checked={isViewed}
            aria-label={`Viewed: ${pathOf(file)}`}
            onCheckedChange={(checked) => {
              onViewed(checked === true);
              // Closing makes the file shorter: without scrolling, the next file would take its place.
              requestAnimationFrame(() => section.current?.scrollIntoView({ block: "nearest" }));
            }}
          />
          <span aria-hidden className="hidden sm:inline">
            Viewed
          </span>
        </label>
      </div>
      <div id={id}>
        {isOpen &&
          (file.isBinary ? (
            (props.picture ?? <p className="px-3 py-2 text-muted-foreground">{describeBinary(file)}</p>)
          ) : isOnlyWhiteSpace ? (
            <p className="px-3 py-2 text-muted-foreground">Only whitespace changed.</p>
          ) : (
            <>
              {props.notice}
              <DiffView source={source} path={pathOf(file)} onWantWhole={onWantWhole} />
            </>
          ))}
      </div>
    </section>
  );
}
