"use client";

import type { ComponentProps } from "react";
import { cn } from "./class-names.ts";
import { useFieldControl } from "./field-context.ts";

/** The frame that every control shares, what is typed into and what opens a list. */
export const controlClasses =
  "w-full min-w-0 rounded-md border border-input bg-background px-2.5 text-sm transition-colors hover:border-muted-foreground focus-visible:border-ring focus-visible:outline-1 focus-visible:outline-offset-0 disabled:cursor-not-allowed disabled:opacity-50 disabled:hover:border-input aria-invalid:border-destructive aria-invalid:focus-visible:outline-destructive";

/** What is typed into has 16 px under a finger: iOS zooms into anything smaller. */
export const typedClasses = cn(controlClasses, "pointer-coarse:text-base");

export function Input({ className, type = "text", ...props }: ComponentProps<"input">) {
  const field = useFieldControl(props);
  return <input type={type} className={cn(typedClasses, "h-control", className)} {...props} {...field} />;
}
