"use client";

import type { ComponentProps } from "react";
import { cn } from "./class-names.ts";
import { useFieldControl } from "./field-context.ts";

/**
 * Frame shared by all controls, text fields and selects alike. They have 16 px on touch screens: iOS zooms into text fields with
 * anything smaller, and a select beside one has its size.
 */
export const controlClasses =
  "w-full min-w-0 rounded-md border border-input bg-background px-2.5 text-sm pointer-coarse:text-base transition-colors hover:border-muted-foreground focus-visible:border-ring focus-visible:outline-1 focus-visible:outline-offset-0 disabled:cursor-not-allowed disabled:opacity-50 disabled:hover:border-input aria-invalid:border-destructive aria-invalid:focus-visible:outline-destructive";

export function Input({ className, type = "text", ...props }: ComponentProps<"input">) {
  const field = useFieldControl(props);
  return <input type={type} className={cn(controlClasses, "h-control", className)} {...props} {...field} />;
}
