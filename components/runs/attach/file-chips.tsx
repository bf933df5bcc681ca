"use client";

import { FileText, X } from "lucide-react";
import { VisibleText } from "#components/text/visible-text.tsx";
import { IconButton } from "#components/ui/icon-button.tsx";
import { formatBytes } from "#lib/format-bytes.ts";
import type { TextFile } from "./read-text-files.ts";

type FileChipsProps = {
  files: readonly TextFile[];
  onChange: (files: TextFile[]) => void;
  /** Gets the focus when the pressed button has been removed. */
  onLeave?: () => void;
};

/** Text files of the message being written; each can be removed. */
export function FileChips({ files, onChange, onLeave }: FileChipsProps) {
  if (files.length === 0) return null;
  return (
    <ul aria-label="Attached text files" className="flex min-w-0 flex-wrap gap-1.5">
      {files.map(({ name, text }) => (
        <li
          key={name}
          className="flex h-control-sm min-w-0 max-w-64 items-center gap-1.5 rounded-md border border-border bg-card pl-2 text-xs"
        >
          <FileText aria-hidden className="size-3.5 shrink-0 text-muted-foreground" />
          <span className="truncate" title={name}>
            <VisibleText text={name} />
          </span>
          <span className="shrink-0 text-muted-foreground tabular-nums">
            {formatBytes(new TextEncoder().encode(text).length)}
          </span>
          <IconButton
            label={`Remove ${name}`}
            size="icon-sm"
            className="shrink-0"
            onClick={() => {
              onChange(files.filter((one) => one.name !== name));
              onLeave?.();
            }}
          >
            <X />
          </IconButton>
        </li>
      ))}
    </ul>
  );
}
