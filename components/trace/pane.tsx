"use client";

import { type ReactNode, useState } from "react";
import type { PageSearch } from "./use-page-search.ts";

type PaneProps = { tab: PageSearch["tab"]; current: PageSearch["tab"]; children: ReactNode };

/** One view. It is made when it is first shown, and keeps its place while another one is. */
export function Pane({ tab, current, children }: PaneProps) {
  const [wasShown, setWasShown] = useState(tab === current);
  if (tab === current && !wasShown) setWasShown(true);
  if (!wasShown) return null;
  return (
    <div hidden={tab !== current} className={tab === current ? "flex min-h-0 min-w-0 flex-1" : undefined}>
      {children}
    </div>
  );
}
