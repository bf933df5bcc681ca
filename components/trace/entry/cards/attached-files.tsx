"use client";

import { useQueryClient } from "@tanstack/react-query";
import { ChevronRight, Download, FileText } from "lucide-react";
import { useId } from "react";
import { FoldedText } from "#components/text/fold.tsx";
import { useCurrentMatch, useOpenForMatch, useWholeEntry } from "#components/text/marks/current-match.tsx";
import { isHidden } from "#components/text/marks/match-place.ts";
import { VisibleText } from "#components/text/visible-text.tsx";
import { useStoredOpen, useTrace } from "#components/trace/reader/trace-context.tsx";
import { cn } from "#components/ui/class-names.ts";
import { IconButton } from "#components/ui/icon-button.tsx";
import { logEntryQuery } from "#lib/client/pages/log-queries.ts";
import { attachedFilesOf, type ShownFile } from "#lib/entry/attached-files.ts";
import { formatBytes } from "#lib/format-bytes.ts";
import type { CardProps } from "./card-props.ts";

/** Text files of a message, each with buttons to open and download it. */
export function AttachedFiles({ entry }: CardProps) {
  return (
    <ul aria-label="Attached files" className="grid min-w-0 gap-1.5">
      {attachedFilesOf(entry.tool_input).map((file, place) => (
        <AttachedFile key={file.name} {...{ entry, file, place }} />
      ))}
    </ul>
  );
}

function AttachedFile({ entry, file, place }: CardProps & { file: ShownFile; place: number }) {
  // A stored file is never empty: a share link leaves its text out.
  const isLeftOut = file.text === "";
  const { source } = useTrace();
  const client = useQueryClient();
  const { ask: askWhole } = useWholeEntry();
  const id = useId();
  const currentMatch = useCurrentMatch();
  const [isKeptOpen, keepOpen] = useStoredOpen(`${entry.seq}.attachment.${place}`);
  const [isOpen, setOpen] = useOpenForMatch(isKeptOpen, keepOpen, isHidden(currentMatch, file.text, ""));
  const [isUnfolded, setUnfolded] = useStoredOpen(`${entry.seq}.attachment.${place}.lines`);
  const isCut = entry.clipped?.some((path) => path.startsWith("tool_input.attachments")) === true;

  async function download() {
    const whole = isCut ? await client.fetchQuery(logEntryQuery(source, entry.seq)).catch(() => null) : entry;
    const text = attachedFilesOf(whole?.tool_input)[place]?.text;
    if (text === undefined) return askWhole();
    // Always as plain text: the browser saves it and never shows it as a page.
    const address = URL.createObjectURL(new Blob([text], { type: "text/plain;charset=utf-8" }));
    const link = Object.assign(document.createElement("a"), { href: address, download: file.name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(address), 60_000);
  }

  return (
    <li className="min-w-0 overflow-hidden rounded-md border border-border bg-background">
      <div className="flex min-w-0 items-center gap-1 pr-1">
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={id}
          disabled={isLeftOut}
          onClick={() => {
            if (isCut && !isOpen) askWhole();
            setOpen(!isOpen);
          }}
          className="flex min-h-8 min-w-0 flex-1 items-center gap-1.5 px-2 text-left text-[13px] pointer-coarse:min-h-11"
        >
          {!isLeftOut && (
            <ChevronRight
              aria-hidden
              className={cn("size-3.5 shrink-0 text-muted-foreground", isOpen && "rotate-90")}
            />
          )}
          <FileText aria-hidden className="size-3.5 shrink-0 text-muted-foreground" />
          <span className="truncate" title={file.name}>
            <VisibleText text={file.name} />
          </span>
          <span className="shrink-0 text-muted-foreground text-xs tabular-nums">
            {formatBytes(file.bytes)}
            {isLeftOut && " · hidden"}
          </span>
        </button>
        {!isLeftOut && (
          <IconButton label={`Download ${file.name}`} size="icon-sm" onClick={() => void download()}>
            <Download />
          </IconButton>
        )}
      </div>
      <div id={id} hidden={!isOpen} className="border-border border-t bg-code">
        {isOpen && (
          <FoldedText text={file.text} isOpen={isUnfolded} onOpenChange={setUnfolded} head={24} className="py-1.5" />
        )}
      </div>
    </li>
  );
}
