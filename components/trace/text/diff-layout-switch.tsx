"use client";

import { Columns2 } from "lucide-react";
import { cn } from "#components/ui/class-names.ts";
import { IconButton } from "#components/ui/icon-button.tsx";
import { useDiffLayout } from "./diff-layout.ts";

/**
 * Lays all diffs out side by side, or one version below the other again. Stands in an element marked `@container/diff`, as wide
 * as the diffs; without room for two columns it is not there.
 */
export function DiffLayoutSwitch({ className }: { className?: string }) {
  const { layout, setLayout } = useDiffLayout();
  const isSideBySide = layout === "side-by-side";
  return (
    <IconButton
      label="Side by side"
      size="icon-sm"
      aria-pressed={isSideBySide}
      className={cn("@min-[640px]/diff:inline-flex hidden aria-pressed:bg-accent", className)}
      onClick={() => setLayout(isSideBySide ? "unified" : "side-by-side")}
    >
      <Columns2 />
    </IconButton>
  );
}
