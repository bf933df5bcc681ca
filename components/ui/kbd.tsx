import type { ComponentProps } from "react";
import { cn } from "./class-names.ts";

export function Kbd({ className, ...props }: ComponentProps<"kbd">) {
  return (
    <kbd
      className={cn(
        "inline-flex h-5 min-w-5 items-center justify-center rounded-sm border border-border bg-muted px-1 font-sans text-muted-foreground text-xs",
        className,
      )}
      {...props}
    />
  );
}
