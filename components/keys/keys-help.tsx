"use client";

import { useState } from "react";
import { helpKeys } from "./key-tables.ts";
import { KeysDialog } from "./keys-dialog.tsx";
import { useKeys } from "./use-keys.ts";

/** `?` lists the shortcuts of the current page. */
export function KeysHelp() {
  const [isOpen, setOpen] = useState(false);
  useKeys(helpKeys, () => setOpen(true));
  return isOpen && <KeysDialog open onClose={() => setOpen(false)} />;
}
