"use client";

import { useState } from "react";
import { loadable, useLoaded } from "#components/ui/use-loaded.ts";
import { helpKeys } from "./key-tables.ts";
import { useKeys } from "./use-keys.ts";

const dialog = loadable(() => import("./keys-dialog.tsx"));

/** `?` lists the keys of the page that it stands on. */
export function KeysHelp() {
  const [isOpen, setOpen] = useState(false);
  const loaded = useLoaded(dialog, isOpen);
  useKeys(helpKeys, () => setOpen(true));
  return loaded && <loaded.KeysDialog open={isOpen} onClose={() => setOpen(false)} />;
}
