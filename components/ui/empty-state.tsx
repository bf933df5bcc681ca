import type { ReactNode } from "react";
import { cn } from "./class-names.ts";

type EmptyStateProps = {
  icon?: ReactNode;
  title: ReactNode;
  /** One or two sentences: what will appear here, and how to get it. */
  description?: ReactNode;
  /** One button. */
  action?: ReactNode;
  /** Content below, a line of code for example. */
  children?: ReactNode;
  /** The title is the page's heading, not that of a part. */
  heading?: "h1" | "h2" | "h3";
  className?: string;
};

/** Placeholder for a place without content. */
export function EmptyState(props: EmptyStateProps) {
  const { icon, title, description, action, children, heading: Heading = "h2", className } = props;
  return (
    <div className={cn("mx-auto flex max-w-md flex-col items-center gap-3 px-4 py-12 text-center", className)}>
      {icon !== undefined && (
        <div aria-hidden className="text-muted-foreground [&_svg]:size-6 [&_svg]:stroke-[1.5]">
          {icon}
        </div>
      )}
      <div className="grid gap-1">
        <Heading className="font-medium text-base/6">{title}</Heading>
        {description !== undefined && <div className="text-balance text-muted-foreground text-sm">{description}</div>}
      </div>
      {action !== undefined && <div className="flex flex-wrap justify-center gap-2 pt-1">{action}</div>}
      {children}
    </div>
  );
}
