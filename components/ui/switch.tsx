"use client";

import { Switch as SwitchPrimitive } from "radix-ui";
import type { ComponentProps } from "react";
import { fingerTargetClasses } from "./checkbox.tsx";
import { cn } from "./class-names.ts";
import { useFieldControl } from "./field-context.ts";

/** For settings that take effect at once; in a form use a checkbox. */
export function Switch({ className, ...props }: ComponentProps<typeof SwitchPrimitive.Root>) {
  const field = useFieldControl(props);
  return (
    <SwitchPrimitive.Root
      className={cn(
        fingerTargetClasses,
        "inline-flex h-4.5 w-8 shrink-0 items-center rounded-full bg-muted-foreground p-0.5 transition-colors disabled:cursor-not-allowed disabled:opacity-50 data-[state=checked]:bg-primary",
        className,
      )}
      {...props}
      {...field}
    >
      <SwitchPrimitive.Thumb className="block size-3.5 rounded-full bg-background transition-transform data-[state=checked]:translate-x-3.5" />
    </SwitchPrimitive.Root>
  );
}
