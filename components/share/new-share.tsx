"use client";

import { ExternalLink } from "lucide-react";
import { CommandLine } from "#components/page/command-line.tsx";
import { Button, buttonClasses } from "#components/ui/button.tsx";
import { DialogFooter } from "#components/ui/dialog.tsx";
import type { CreatedShare } from "#lib/contract/runs/share.ts";

/** A newly created link. */
export function NewShare({ share, onDone }: { share: CreatedShare; onDone: () => void }) {
  return (
    <div className="grid min-w-0 gap-4">
      <CommandLine command={share.url} label="Copy link" />
      <DialogFooter>
        <a href={share.url} target="_blank" rel="noopener noreferrer" className={buttonClasses({ variant: "outline" })}>
          <ExternalLink aria-hidden />
          See what others see
        </a>
        <Button onClick={onDone}>I have copied it</Button>
      </DialogFooter>
    </div>
  );
}
