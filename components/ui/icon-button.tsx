"use client";

import type { ComponentProps } from "react";
import { Button } from "./button.tsx";
import { Kbd } from "./kbd.tsx";
import { Tooltip, TooltipContent, TooltipTrigger } from "./tooltip.tsx";

type IconButtonProps = Omit<ComponentProps<typeof Button>, "aria-label" | "title"> & {
  /** What it does: its accessible name and its tooltip. */
  label: string;
  /** The key that does the same, shown in the tooltip. */
  shortcut?: string;
};

/** A button that is only an icon, and says in words what it does. */
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
