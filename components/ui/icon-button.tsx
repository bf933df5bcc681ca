"use client";

import type { ComponentProps } from "react";
import { Button } from "./button.tsx";
import { Kbd } from "./kbd.tsx";
import { Tooltip, TooltipContent, TooltipTrigger } from "./tooltip.tsx";

type IconButtonProps = Omit<ComponentProps<typeof Button>, "aria-label" | "title"> & {
  /** Its accessible name and tooltip. */
  label: string;
  /** Shortcut for the same action, shown in the tooltip. */
  shortcut?: string;
};

/** A button with only an icon, and an accessible name. */
export function IconButton({ label, shortcut, variant = "ghost", size = "icon", ...props }: IconButtonProps) {
  return (
    <Tooltip>
      <TooltipTrigger asChild>
        <Button variant={variant} size={size} aria-label={label} {...props} />
      </TooltipTrigger>
      <TooltipContent>
        {label}
        {shortcut !== undefined && <Kbd>{shortcut}</Kbd>}
      </TooltipContent>
    </Tooltip>
  );
}
