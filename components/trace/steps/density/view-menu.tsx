"use client";

import { SlidersHorizontal } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { DropdownMenu, DropdownMenuContent, DropdownMenuTrigger } from "#components/ui/dropdown-menu.tsx";
import type { ViewItemsProps } from "./view-items.tsx";

// Not needed for reading: loaded when the menu opens.
const ViewItems = lazy(() => import("./view-items.tsx"));
const KeysDialog = lazy(() =>
  import("#components/keys/keys-dialog.tsx").then((part) => ({ default: part.KeysDialog })),
);

/** Layout of the steps, and the keyboard shortcuts. */
export function ViewMenu(props: Omit<ViewItemsProps, "onKeys">) {
  const [showsKeys, setShowsKeys] = useState(false);
  return (
    <>
      <DropdownMenu>
        <DropdownMenuTrigger asChild>
          <Button variant="ghost" size="icon-sm" aria-label="View" title="View" className="text-muted-foreground">
            <SlidersHorizontal aria-hidden />
          </Button>
        </DropdownMenuTrigger>
        <DropdownMenuContent align="end" className="w-52">
          <Suspense fallback={<div className="h-44" />}>
            <ViewItems {...props} onKeys={() => setShowsKeys(true)} />
          </Suspense>
        </DropdownMenuContent>
      </DropdownMenu>
      <Suspense>{showsKeys && <KeysDialog open onClose={() => setShowsKeys(false)} />}</Suspense>
    </>
  );
}
