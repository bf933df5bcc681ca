"use client";

import { SlidersHorizontal } from "lucide-react";
import { Suspense, useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { DropdownMenu, DropdownMenuContent, DropdownMenuTrigger } from "#components/ui/dropdown-menu.tsx";
import { lazyPart } from "#components/ui/use-loaded.ts";
import type { ViewItemsProps } from "./view-items.tsx";

// Not needed for reading: loaded when the menu opens.
const ViewItems = lazyPart(async () => (await import("./view-items.tsx")).default);
const KeysDialog = lazyPart(async () => (await import("#components/keys/keys-dialog.tsx")).KeysDialog);

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
