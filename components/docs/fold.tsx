import { ChevronRight } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";

type FoldProps = ComponentProps<"details"> & { summary: string; children: ReactNode };

/** A section that is closed at first. Works without scripts. */
export function Fold({ summary, children, ...props }: FoldProps) {
  return (
    <details className="group min-w-0 rounded-lg border border-border px-3 open:pb-3" {...props}>
      <summary className="flex h-10 list-none items-center gap-1.5 font-medium text-[13px] [&::-webkit-details-marker]:hidden">
        <ChevronRight aria-hidden className="size-4 text-muted-foreground transition-transform group-open:rotate-90" />
        {summary}
      </summary>
      {children}
    </details>
  );
}
