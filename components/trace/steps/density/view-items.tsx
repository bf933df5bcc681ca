"use client";

import { ChevronsDownUp, ChevronsUpDown, Keyboard } from "lucide-react";
import {
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuRadioGroup,
  DropdownMenuRadioItem,
  DropdownMenuSeparator,
  DropdownMenuShortcut,
} from "#components/ui/dropdown-menu.tsx";
import { useDensity } from "./use-density.ts";

export type ViewItemsProps = {
  /** Whether groups are open by default; null if the list has none. */
  areGroupsOpen: boolean | null;
  onFoldAll: () => void;
  /** Opens the list of keyboard shortcuts. */
  onKeys: () => void;
};

/** Items of the view menu. */
export default function ViewItems({ areGroupsOpen, onFoldAll, onKeys }: ViewItemsProps) {
  const { density, setDensity } = useDensity();
  return (
    <>
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
      <DropdownMenuItem onSelect={onKeys}>
        <Keyboard aria-hidden />
        Keyboard shortcuts
        <DropdownMenuShortcut>?</DropdownMenuShortcut>
      </DropdownMenuItem>
    </>
  );
}
