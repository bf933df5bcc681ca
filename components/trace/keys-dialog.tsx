"use client";

import { Fragment } from "react";
import { usePaletteKey } from "#components/shell/palette-key.ts";
import { Dialog, DialogContent, DialogHeader, DialogTitle } from "#components/ui/dialog.tsx";
import { Kbd } from "#components/ui/kbd.tsx";

type KeyList = readonly { keys: readonly string[]; does: string }[];

/** What the keys do where steps are shown (use-feed-keys.ts). */
const traceKeys: KeyList = [
  { keys: ["j", "k"], does: "Next and previous step" },
  { keys: ["J", "K"], does: "Next and previous error" },
  { keys: ["g", "G"], does: "First and last step" },
  { keys: ["/"], does: "Find text in the run; Enter goes to the next hit" },
  { keys: [":"], does: "Go to a step by its number" },
  { keys: ["e"], does: "Open or fold the step" },
  { keys: ["x"], does: "Fold or unfold all groups" },
  { keys: ["f"], does: "Say which steps are shown" },
  { keys: ["c"], does: "Copy the link to the step" },
];

/** What the keys do where time is shown (use-timeline-keys.ts). */
const timelineKeys: KeyList = [
  { keys: ["+", "−"], does: "Look closer, and from farther away" },
  { keys: ["0"], does: "The whole run" },
  { keys: ["←", "→"], does: "Move; with Shift by a whole view" },
  { keys: ["j", "k"], does: "Point at the next and the previous step" },
  { keys: ["Enter"], does: "Open the step" },
  { keys: ["h"], does: "Hide or show idle time" },
  { keys: ["Esc"], does: "Point at nothing" },
];

type KeysDialogProps = { of: "trace" | "timeline"; open: boolean; onClose: () => void };

/** The list of a view's keys. */
export function KeysDialog({ of, open, onClose }: KeysDialogProps) {
  const paletteKey = usePaletteKey();
  return (
    <Dialog open={open} onOpenChange={(next) => !next && onClose()}>
      <DialogContent aria-describedby={undefined} className="max-w-sm">
        <DialogHeader>
          <DialogTitle>Keys</DialogTitle>
        </DialogHeader>
        <dl className="grid grid-cols-[auto_1fr] items-center gap-x-4 gap-y-2 text-[13px]">
          {[...(of === "trace" ? traceKeys : timelineKeys), ...everywhere(paletteKey)].map(({ keys, does }) => (
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

function everywhere(paletteKey: string): KeyList {
  return [
    { keys: ["?"], does: "This list" },
    { keys: [paletteKey], does: "Commands" },
  ];
}
