"use client";

import type { ComponentProps } from "react";
import { cn } from "./class-names.ts";
import { useFieldControl } from "./field-context.ts";
import { controlClasses } from "./input.tsx";

/** Grows with its text, up to the height its classes allow. */
export function Textarea({ className, ...props }: ComponentProps<"textarea">) {
  const field = useFieldControl(props);
  return (
    <textarea
      dir="auto"
      className={cn(controlClasses, "field-sizing-content max-h-[50dvh] min-h-20 resize-y py-1.5", className)}
      {...props}
      {...field}
    />
  );
}
