"use client";

import { useEffect } from "react";
import { loadable, useLoaded } from "#components/ui/use-loaded.ts";
import type { ShellOrganizations } from "./organization-menu.tsx";

type CommandPaletteProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  organizations: ShellOrganizations;
  onSignOut: () => void;
};

const dialog = loadable(() => import("./palette-dialog.tsx"));

/** Everything the shell can do, by typing: opens on ⌘K and Ctrl+K, on every page it stands on. */
export function CommandPalette({ open, onOpenChange, organizations, onSignOut }: CommandPaletteProps) {
  const loaded = useLoaded(dialog, open);
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      if (event.key.toLowerCase() !== "k" || !(event.metaKey || event.ctrlKey) || event.altKey || event.shiftKey)
        return;
      event.preventDefault();
      onOpenChange(!open);
    }
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [open, onOpenChange]);
  return loaded && <loaded.PaletteDialog {...{ open, onOpenChange, organizations, onSignOut }} />;
}
