"use client";

import { Suspense } from "react";
import { lazyPart } from "#components/ui/use-loaded.ts";
import type { JsonTreeProps } from "./json-tree-view.tsx";

const JsonTreeView = lazyPart<JsonTreeProps>(async () => (await import("./json-tree-view.tsx")).JsonTreeView, NoTree);

/** Any JSON value as a tree: closed beyond two levels, built as far as it is viewed. Arrow keys move, open and close. */
export function JsonTree(props: JsonTreeProps) {
  return (
    <Suspense fallback={<div className="h-7" />}>
      <JsonTreeView {...props} />
    </Suspense>
  );
}

function NoTree({ label }: JsonTreeProps) {
  return <p className="px-3 py-1 text-[13px] text-muted-foreground">{label}: could not be loaded. Reload the page.</p>;
}
