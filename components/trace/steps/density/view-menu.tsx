"use client";

import { ChevronsDownUp, ChevronsUpDown, Keyboard, SlidersHorizontal } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { Button } from "#components/ui/button.tsx";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuRadioGroup,
  DropdownMenuRadioItem,
  DropdownMenuSeparator,
  DropdownMenuShortcut,
  DropdownMenuTrigger,
} from "#components/ui/dropdown-menu.tsx";
import { useDensity } from "./use-density.ts";

const KeysDialog = lazy(() =>
  import("#components/keys/keys-dialog.tsx").then((part) => ({ default: part.KeysDialog })),
);

type ViewMenuProps = {
  /** Whether groups are open by default; null if the list has none. */
  areGroupsOpen: boolean | null;
  onFoldAll: () => void;
};

/** How the steps are laid out. */
export function ViewMenu({ areGroupsOpen, onFoldAll }: ViewMenuProps) {
  const { density, setDensity } = useDensity();
  const [showsKeys, setShowsKeys] = useState(false);
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button variant="ghost" size="icon-sm" aria-label="View" title="View" className="text-muted-foreground">
          <SlidersHorizontal aria-hidden />
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent align="end" className="w-52">
        <DropdownMenuLabel>Density</DropdownMenuLabel>
        <DropdownMenuRadioGroup
          value={density}
          onValueChange={(value) => setDensity(value === "compact" ? "compact" : "comfortable")}
        >
          <DropdownMenuRadioItem value="comfortable">Comfortable</DropdownMenuRadioItem>
          <DropdownMenuRadioItem value="compact">Compact</DropdownMenuRadioItem>
        </DropdownMenuRadioGroup>
        <DropdownMenuSeparator />
        <DropdownMenuItem disabled={areGroupsOpen === null} onSelect={onFoldAll}>
          {areGroupsOpen === true ? <ChevronsDownUp aria-hidden /> : <ChevronsUpDown aria-hidden />}
          {areGroupsOpen === true ? "Collapse all groups" : "Expand all groups"}
          <DropdownMenuShortcut>x</DropdownMenuShortcut>
        </DropdownMenuItem>
        <DropdownMenuItem onSelect={() => setShowsKeys(true)}>
          <Keyboard aria-hidden />
          Keyboard shortcuts
          <DropdownMenuShortcut>?</DropdownMenuShortcut>
        </DropdownMenuItem>
      </DropdownMenuContent>
      <Suspense>{showsKeys && <KeysDialog open onClose={() => setShowsKeys(false)} />}</Suspense>
    </DropdownMenu>
  );
}
