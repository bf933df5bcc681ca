"use client";

import { Suspense, useState } from "react";
import { lazyPart } from "#components/ui/use-loaded.ts";
import { helpKeys } from "./key-tables.ts";
import { useKeys } from "./use-keys.ts";

// Loaded on demand, because few readers ask for it.
const KeysDialog = lazyPart(async () => (await import("./keys-dialog.tsx")).KeysDialog);

/** `?` lists the shortcuts of the current page. */
export function KeysHelp() {
  const [isOpen, setOpen] = useState(false);
  useKeys(helpKeys, () => setOpen(true));
  return <Suspense>{isOpen && <KeysDialog open onClose={() => setOpen(false)} />}</Suspense>;
}
