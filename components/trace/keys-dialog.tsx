"use client";

import { Fragment } from "react";
import { usePaletteKey } from "#components/shell/palette-key.ts";
import { Dialog, DialogContent, DialogHeader, DialogTitle } from "#components/ui/dialog.tsx";
import { Kbd } from "#components/ui/kbd.tsx";

/** What the keys do where steps are shown (use-feed-keys.ts). */
const feedKeys: readonly { keys: readonly string[]; does: string }[] = [
  { keys: ["j", "k"], does: "Next and previous step" },
  { keys: ["J", "K"], does: "Next and previous error" },
  { keys: ["g", "G"], does: "First and last step" },
  { keys: ["/"], does: "Find text in the run; Enter goes to the next hit" },
  { keys: [":"], does: "Go to a step by its number" },
  { keys: ["e"], does: "Open or fold the step" },
  { keys: ["x"], does: "Fold or unfold all groups" },
  { keys: ["f"], does: "Say which steps are shown" },
  { keys: ["c"], does: "Copy the link to the step" },
  { keys: ["?"], does: "This list" },
];

/** The list of keys. */
export function KeysDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const paletteKey = usePaletteKey();
  return (
    <Dialog open={open} onOpenChange={(next) => !next && onClose()}>
      <DialogContent aria-describedby={undefined} className="max-w-sm">
        <DialogHeader>
          <DialogTitle>Keys</DialogTitle>
        </DialogHeader>
        <dl className="grid grid-cols-[auto_1fr] items-center gap-x-4 gap-y-2 text-[13px]">
          {[...feedKeys, { keys: [paletteKey], does: "Commands" }].map(({ keys, does }) => (
            <Fragment key={does}>
              <dt className="flex gap-1">
                {keys.map((key) => (
                  <Kbd key={key}>{key}</Kbd>
                ))}
              </dt>
              <dd>{does}</dd>
            </Fragment>
          ))}
        </dl>
      </DialogContent>
    </Dialog>
  );
}
