"use client";

import { Tooltip as TooltipPrimitive } from "radix-ui";
import type { ComponentProps, ReactNode } from "react";
import { cn } from "./class-names.ts";

const delayMs = 400;

type TooltipProps = { children: ReactNode; open?: boolean; onOpenChange?: (open: boolean) => void };

/** Tooltip of a control: after a moment under the pointer, at once for the keyboard, until the control is used. */
export function Tooltip({ children, ...state }: TooltipProps) {
  return (
    <TooltipPrimitive.Provider delayDuration={delayMs} disableHoverableContent>
      <TooltipPrimitive.Root {...state}>{children}</TooltipPrimitive.Root>
    </TooltipPrimitive.Provider>
  );
}

/** A control with a tooltip. A tap also moves the focus but must not open the tooltip, which would only flash over the page. */
export function TooltipTrigger(props: ComponentProps<typeof TooltipPrimitive.Trigger>) {
  return (
    <TooltipPrimitive.Trigger
      onFocus={(event) => {
        if (!event.currentTarget.matches(":focus-visible")) event.preventDefault();
      }}
      {...props}
    />
  );
}

/** The text: above the control, or below it if there is no room. */
export function TooltipContent({ className, ...props }: ComponentProps<typeof TooltipPrimitive.Content>) {
  return (
    <TooltipPrimitive.Portal>
      <TooltipPrimitive.Content
        sideOffset={4}
        collisionPadding={8}
        className={cn(
          "pointer-events-none z-50 flex w-max max-w-72 animate-pop items-center gap-2 rounded-md border border-border bg-popover px-2 py-1 text-[13px] text-popover-foreground shadow-sm",
          className,
        )}
        {...props}
      />
    </TooltipPrimitive.Portal>
  );
}
