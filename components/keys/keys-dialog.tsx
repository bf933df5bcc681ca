"use client";

import { Fragment } from "react";
import { usePaletteKey } from "#components/shell/palette-key.ts";
import { Dialog, DialogContent, DialogHeader, DialogTitle } from "#components/ui/dialog.tsx";
import { Kbd } from "#components/ui/kbd.tsx";
import { helpKeys, type KeyTable, paletteKeys, writtenKeys } from "./key-tables.ts";
import { boundKeyTables } from "./use-keys.ts";

type KeysDialogProps = { open: boolean; onClose: () => void };

/** Shortcuts active on the page: its own first, then those of every page. */
export function KeysDialog({ open, onClose }: KeysDialogProps) {
  const command = usePaletteKey().slice(0, -1);
  const everywhere: readonly KeyTable[] = [paletteKeys, helpKeys];
  const bound = boundKeyTables();
  const rows = [
    ...bound.filter((table) => !everywhere.includes(table)),
    ...everywhere.filter((table) => bound.includes(table)),
  ].flat();
  return (
    <Dialog open={open} onOpenChange={(next) => !next && onClose()}>
      <DialogContent aria-describedby={undefined} className="max-w-sm">
        <DialogHeader>
          <DialogTitle>Keyboard shortcuts</DialogTitle>
        </DialogHeader>
        <dl className="grid grid-cols-[auto_1fr] items-center gap-x-4 gap-y-2 text-[13px]">
          {rows.map((row) => (
            <Fragment key={row.does}>
              <dt className="flex gap-1">
                {writtenKeys(row, command).map((key) => (
                  <Kbd key={key}>{key}</Kbd>
                ))}
              </dt>
              <dd>{row.does}</dd>
            </Fragment>
          ))}
        </dl>
      </DialogContent>
    </Dialog>
  );
}
