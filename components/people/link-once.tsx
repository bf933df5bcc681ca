"use client";

import { CommandLine } from "#components/page/command-line.tsx";
import { RelativeTime } from "#components/shell/relative-time.tsx";
import { Button } from "#components/ui/button.tsx";
import { DialogFooter } from "#components/ui/dialog.tsx";

type LinkOnceProps = {
  url: string;
  expiresAt: string;
  /** The recipient of the link. */
  whom: string;
  onDone: () => void;
};

/** A link that is shown once and works once, with a button to copy it. */
export function LinkOnce({ url, expiresAt, whom, onDone }: LinkOnceProps) {
  return (
    <div className="grid min-w-0 gap-4">
      <CommandLine command={url} label="Copy link" className="[&_code]:break-all" />
      <p className="text-[13px] text-muted-foreground">
        Send it to {whom} yourself: Errand sends no email. It works once and expires <RelativeTime at={expiresAt} />.
      </p>
      <DialogFooter>
        <Button onClick={onDone}>I have copied it</Button>
      </DialogFooter>
    </div>
  );
}
