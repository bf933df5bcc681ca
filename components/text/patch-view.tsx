"use client";

import { ChevronRight } from "lucide-react";
import { useId, useMemo, useRef, useState } from "react";
import { Checkbox } from "#components/ui/checkbox.tsx";
import type { PatchFile } from "#lib/entry/patch.ts";
import { pathOf } from "#lib/entry/patch.ts";
import { describeBinary } from "./binary-size.ts";
import { DiffCounts } from "./diff-counts.tsx";
import { DiffView } from "./diff-view.tsx";
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
  /** Whether it is open at first. Files with more than 1,000 changed lines are always closed at first. */
  isOpen?: boolean;
  /** Whether it is ticked as viewed, which closes it. */
  isViewed: boolean;
  onViewed: (isViewed: boolean) => void;
};

/**
 * One file of a patch: a line with its path, the kind of change, its counts and a tick, which stays in sight; below it the diff.
 */
export function PatchFileView({ file, isOpen: isOpenAtFirst = true, isViewed, onViewed }: PatchFileViewProps) {
  const [chosen, setChosen] = useState<boolean | null>(null);
  const isOpen = chosen ?? (isOpenAtFirst && !isViewed && file.added + file.removed <= 1_000);
  const id = useId();
  const tickId = useId();
  const section = useRef<HTMLElement>(null);
  const source = useMemo(() => ({ hunks: file.hunks }), [file]);
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
          onClick={() => setChosen(!isOpen)}
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
          {statusNames[file.status] !== "" && (
            <span className="text-muted-foreground text-xs">{statusNames[file.status]}</span>
          )}
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
              setChosen(null);
              onViewed(checked === true);
              // Closed, it is shorter: what follows it would be in its place.
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
            <p className="px-3 py-2 text-muted-foreground">{describeBinary(file)}</p>
          ) : (
            <DiffView source={source} path={pathOf(file)} />
          ))}
      </div>
    </section>
  );
}
