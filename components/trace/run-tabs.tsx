"use client";

import { type MouseEvent, memo } from "react";
import { tabClasses } from "#components/ui/tab-classes.ts";
import type { Changes } from "#lib/contract/run.ts";
import { DiffCounts } from "./text/diff-counts.tsx";
import { type PageSearch, searchOf, tabs } from "./use-page-search.ts";

type RunTabsProps = {
  current: PageSearch["tab"];
  /** The views that there are; all where left out. */
  shown?: readonly PageSearch["tab"][];
  changes: Changes | null;
  onShow: (tab: PageSearch["tab"]) => void;
};

const labels: Record<PageSearch["tab"], string> = {
  trace: "Trace",
  changes: "Changes",
  timeline: "Timeline",
  analysis: "Analysis",
  raw: "Raw",
};

/** The views of a run. Each is a link of its own; a plain click changes the view without asking the server for the page. */
export const RunTabs = memo(function RunTabs({ current, shown = tabs, changes, onShow }: RunTabsProps) {
  return (
    <nav
      aria-label="Views of the run"
      className="flex items-stretch gap-4 overflow-x-auto overflow-y-hidden px-4 [scrollbar-width:none]"
    >
      {shown.map((tab) => (
        <a
          key={tab}
          href={searchOf({ tab })}
          data-state={tab === current ? "active" : "inactive"}
          aria-current={tab === current ? "page" : undefined}
          className={tabClasses}
          onClick={(event) => {
            if (isForTheBrowser(event)) return;
            event.preventDefault();
            if (tab !== current) onShow(tab);
          }}
        >
          {labels[tab]}
          {tab === "changes" && changes !== null && changes.files > 0 && (
            <DiffCounts added={changes.insertions} removed={changes.deletions} />
          )}
        </a>
      ))}
    </nav>
  );
});

/** A click that opens a new tab or window, or downloads. */
function isForTheBrowser(event: MouseEvent): boolean {
  return event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button !== 0;
}
