import type { ReactNode } from "react";
import { cn } from "#components/ui/class-names.ts";

type DashboardPageProps = {
  title: string;
  /** Shown beside the title in a quieter style: a count. */
  note?: ReactNode;
  /** At the right of the title. */
  actions?: ReactNode;
  /** Maximum width of the page: lists take the whole window, forms a column. */
  width?: "wide" | "column";
  children: ReactNode;
};

/** A page of the dashboard: heading, actions and content. */
export function DashboardPage({ title, note, actions, width = "wide", children }: DashboardPageProps) {
  return (
    <div
      className={cn(
        "mx-auto grid grid-cols-[minmax(0,1fr)] gap-4 px-4 py-4 md:px-6",
        width === "wide" ? "max-w-400" : "max-w-180",
      )}
    >
      <header className="flex min-h-control flex-wrap items-center justify-between gap-2">
        <div className="flex min-w-0 items-baseline gap-2">
          <h1 className="font-semibold text-lg/7">{title}</h1>
          {note !== undefined && <span className="text-muted-foreground text-sm tabular-nums">{note}</span>}
        </div>
        {actions}
      </header>
      {children}
    </div>
  );
}
