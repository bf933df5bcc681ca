import type { ReactNode } from "react";
import { cn } from "#components/ui/class-names.ts";
import { Skeleton } from "#components/ui/skeleton.tsx";

/** Placeholder for a loading page or part. Its lines, or `children` instead, appear after 200 ms. */
export function Loading({ label = "Loading", lines = 6, children, className }: LoadingProps) {
  return (
    <div role="status" className={cn("grid gap-3 p-4", className)}>
      <span className="sr-only">{label}</span>
      {children ??
        Array.from({ length: lines }, (_, index) => index).map((line) => (
          <Skeleton key={line} className={cn("h-8", line % 3 === 2 && "w-3/4")} />
        ))}
    </div>
  );
}

type LoadingProps = { label?: string; lines?: number; children?: ReactNode; className?: string };
