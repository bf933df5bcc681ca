"use client";

import type { MouseEvent, ReactNode } from "react";
import { formatCount } from "#components/shell/format-number.ts";
import { cn } from "#components/ui/class-names.ts";
import { searchOf } from "./address-bar.ts";
import { useSeqOffset, useTrace } from "./trace-context.tsx";

type StepLinkProps = {
  seq: number;
  onFocus?: () => void;
  className?: string;
  /** The link's text; `#12` if absent. */
  children?: ReactNode;
};

/** A link to a step, which a plain click follows without loading the page again. */
export function StepLink({ seq, onFocus, className, children }: StepLinkProps) {
  const { reader } = useTrace();
  const shown = seq + useSeqOffset();
  const onClick = (event: MouseEvent) => {
    if (isForTheBrowser(event)) return;
    event.preventDefault();
    reader.open(seq);
  };
  return (
    <a
      href={searchOf({ tab: "trace", entry: String(shown) })}
      aria-label={children === undefined ? `Step ${shown}` : undefined}
      onClick={onClick}
      onFocus={onFocus}
      className={cn("rounded-sm text-link tabular-nums underline-offset-2 hover:underline", className)}
    >
      {children ?? `#${formatCount(shown)}`}
    </a>
  );
}

/** A click that opens a new tab or window, or downloads. */
export function isForTheBrowser(event: MouseEvent): boolean {
  return event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button !== 0;
}
