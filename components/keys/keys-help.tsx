"use client";

import { lazy, Suspense, useState } from "react";
import { helpKeys } from "./key-tables.ts";
import { useKeys } from "./use-keys.ts";

// Loaded on demand, because few readers ask for it.
const KeysDialog = lazy(() => import("./keys-dialog.tsx").then((part) => ({ default: part.KeysDialog })));

/** `?` lists the shortcuts of the current page. */
export function KeysHelp() {
  const [isOpen, setOpen] = useState(false);
  useKeys(helpKeys, () => setOpen(true));
  return <Suspense>{isOpen && <KeysDialog open onClose={() => setOpen(false)} />}</Suspense>;
}
