import { cva, type VariantProps } from "class-variance-authority";
import type { ComponentProps } from "react";
import { cn } from "./class-names.ts";

const badgeVariants = cva(
  "inline-flex max-w-full shrink-0 items-center gap-1 whitespace-nowrap rounded-sm border px-1.5 font-medium text-xs/[18px] tabular-nums [&_svg]:size-3 [&_svg]:shrink-0",
  {
    variants: {
      variant: {
        default: "border-transparent bg-muted text-foreground",
        outline: "border-border text-muted-foreground",
        running: "border-transparent bg-status-running/10 text-status-running",
        completed: "border-transparent bg-status-completed/10 text-status-completed",
        failed: "border-transparent bg-status-failed/10 text-status-failed",
        waiting: "border-transparent bg-status-waiting/10 text-status-waiting",
      },
    },
    defaultVariants: { variant: "default" },
  },
);

/** A word or number beside something else. Its colors mean the same as for a run's status. */
export function Badge({ className, variant, ...props }: ComponentProps<"span"> & VariantProps<typeof badgeVariants>) {
  return <span className={cn(badgeVariants({ variant }), className)} {...props} />;
}
