"use client";

import { ChevronRight } from "lucide-react";
import { useId, useMemo, useState } from "react";
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
};

/** One file of a patch: a line with its path, the kind of change and its counts; below it the diff. */
export function PatchFileView({ file, isOpen: isOpenAtFirst = true }: PatchFileViewProps) {
  const [isOpen, setIsOpen] = useState(isOpenAtFirst && file.added + file.removed <= 1_000);
  const id = useId();
  const source = useMemo(() => ({ hunks: file.hunks }), [file]);
  return (
    <section className="min-w-0 overflow-hidden rounded-md border border-border bg-card" aria-label={pathOf(file)}>
      <button
        type="button"
        className="flex w-full items-center gap-2 px-2 py-1.5 text-left hover:bg-accent focus-visible:-outline-offset-2"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setIsOpen(!isOpen)}
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
      <div id={id} className={isOpen ? "border-border border-t" : undefined}>
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
