"use client";

import { paletteKeys } from "#components/keys/key-tables.ts";
import { useKeys } from "#components/keys/use-keys.ts";
import { loadable, useLoaded } from "#components/ui/use-loaded.ts";
import type { Role } from "#lib/contract/people/organization.ts";
import type { ShellOrganizations } from "./organization-menu.tsx";

type CommandPaletteProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  organizations: ShellOrganizations;
  role: Role;
  onSignOut: () => void;
};

const dialog = loadable(() => import("./palette-dialog.tsx"));

/** Command palette: opens on ⌘K and Ctrl+K, on every page that has it. */
export function CommandPalette({ open, onOpenChange, ...list }: CommandPaletteProps) {
  const loaded = useLoaded(dialog, open);
  useKeys(paletteKeys, () => onOpenChange(!open));
  return loaded && <loaded.PaletteDialog {...{ open, onOpenChange, ...list }} />;
}
