"use client";

import { Columns2 } from "lucide-react";
import { cn } from "#components/ui/class-names.ts";
import { IconButton } from "#components/ui/icon-button.tsx";
import { useDiffLayout } from "./diff-layout.ts";

/**
 * Switches all diffs between side by side and unified. Needs an ancestor marked `@container/diff`, as wide as the diffs; hidden
 * if two columns do not fit.
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
