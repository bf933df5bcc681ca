"use client";

import { type ReactNode, Suspense, useState } from "react";
import { Loading } from "#components/shell/loading.tsx";
import type { PageSearch } from "#components/trace/reader/address-bar.ts";

type PaneProps = {
  tab: PageSearch["tab"];
  current: PageSearch["tab"];
  /** Shown while the view's script is loading. Absent if the script comes with the page, or the view has its own placeholder. */
  loading?: string;
  children: ReactNode;
};

/** One view. It is rendered when first shown, and keeps its state while another one is shown. */
export function Pane({ tab, current, loading, children }: PaneProps) {
  const [wasShown, setWasShown] = useState(tab === current);
  if (tab === current && !wasShown) setWasShown(true);
  if (!wasShown) return null;
  return (
    <div hidden={tab !== current} className={tab === current ? "flex min-h-0 min-w-0 flex-1" : undefined}>
      {loading === undefined ? (
        children
      ) : (
        <Suspense fallback={<Loading label={loading} className="flex-1" />}>{children}</Suspense>
      )}
    </div>
  );
}
