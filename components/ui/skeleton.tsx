import type { ComponentProps } from "react";
import { cn } from "./class-names.ts";

/** Placeholder for loading content. It appears after 200 ms and does not move: nothing blinks. */
export function Skeleton({ className, ...props }: ComponentProps<"div">) {
  return <div aria-hidden className={cn("animate-late rounded-sm bg-accent", className)} {...props} />;
}
