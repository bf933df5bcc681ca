"use client";

import { Braces, Download, FileText, Globe, type LucideIcon } from "lucide-react";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuTrigger,
} from "#components/ui/dropdown-menu.tsx";
import { IconButton } from "#components/ui/icon-button.tsx";
import { operationPath } from "#lib/client/request.ts";
import type { ExportFormat } from "#lib/contract/logs/export.ts";

const formats: { format: ExportFormat; label: string; note: string; Icon: LucideIcon }[] = [
  { format: "json", label: "JSON", note: "Every field, for programs", Icon: Braces },
  { format: "markdown", label: "Markdown", note: "For reading and pasting", Icon: FileText },
  { format: "html", label: "HTML", note: "One page that opens offline", Icon: Globe },
];

/** Downloads the whole run. */
export function ExportMenu({ orgId, runId }: { orgId: number; runId: number }) {
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <IconButton label="Export" size="icon-sm">
          <Download />
        </IconButton>
      </DropdownMenuTrigger>
      <DropdownMenuContent align="end" className="w-60">
        <ExportItems orgId={orgId} runId={runId} />
      </DropdownMenuContent>
    </DropdownMenu>
  );
}

/** Items of a menu: plain links, so that the browser saves any size as it arrives. */
export function ExportItems({ orgId, runId }: { orgId: number; runId: number }) {
  const params = { org_id: orgId, agent_run_id: runId };
  return (
    <>
      <DropdownMenuLabel>Download this run as</DropdownMenuLabel>
      {formats.map(({ format, label, note, Icon }) => (
        <DropdownMenuItem key={format} asChild>
          <a href={operationPath("exportRun", { params, query: { format } })} download>
            <Icon aria-hidden />
            <span className="min-w-0">
              {label}
              <span className="block text-[13px] text-muted-foreground">{note}</span>
            </span>
          </a>
        </DropdownMenuItem>
      ))}
    </>
  );
}
