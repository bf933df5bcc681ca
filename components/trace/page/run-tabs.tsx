"use client";

import { memo } from "react";
import { DiffCounts } from "#components/text/diff-counts.tsx";
import { type PageSearch, searchOf, tabs } from "#components/trace/reader/address-bar.ts";
import { isForTheBrowser } from "#components/trace/reader/step-link.tsx";
import { tabClasses } from "#components/ui/tab-classes.ts";
import type { Changes } from "#lib/contract/runs/changes.ts";

type RunTabsProps = {
  current: PageSearch["tab"];
  /** Available views; all if left out. */
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

/** Views of a run. Each is a link; a plain click changes the view without requesting the page. */
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
