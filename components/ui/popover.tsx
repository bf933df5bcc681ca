"use client";

import { Popover as PopoverPrimitive } from "radix-ui";
import type { ComponentProps } from "react";
import { cn } from "./class-names.ts";
import { floatingClasses } from "./floating-classes.ts";

export const Popover = PopoverPrimitive.Root;
export const PopoverTrigger = PopoverPrimitive.Trigger;
export const PopoverAnchor = PopoverPrimitive.Anchor;

export function PopoverContent({
  className,
  align = "start",
  sideOffset = 4,
  ...props
}: ComponentProps<typeof PopoverPrimitive.Content>) {
  return (
    <PopoverPrimitive.Portal>
      <PopoverPrimitive.Content
        align={align}
        sideOffset={sideOffset}
        collisionPadding={8}
        className={cn(
          floatingClasses,
          "max-h-(--radix-popover-content-available-height) w-72 max-w-[calc(100vw-16px)] overflow-auto p-3",
          className,
        )}
        {...props}
      />
    </PopoverPrimitive.Portal>
  );
}
