import { ChevronDown } from "lucide-react";
import type { ComponentProps } from "react";
import { cn } from "./class-names.ts";
import { controlClasses } from "./input.tsx";

/** The browser's own list of options, behind a control that looks like the other selects: for few, short options. */
export function NativeSelect({ className, ...props }: ComponentProps<"select">) {
  return (
    <span className="relative grid min-w-0">
      <select className={cn(controlClasses, "h-control appearance-none pr-7", className)} {...props} />
      <ChevronDown
        aria-hidden
        className="pointer-events-none absolute inset-y-0 right-2 my-auto size-4 text-muted-foreground"
      />
    </span>
  );
}
