"use client";

import { useQuery } from "@tanstack/react-query";
import { CornerDownRight } from "lucide-react";
import { VisibleText } from "#components/text/visible-text.tsx";
import { StepLink } from "#components/trace/reader/step-link.tsx";
import { useTrace } from "#components/trace/reader/trace-context.tsx";
import { shellSessionQuery } from "#lib/client/pages/shell-session-query.ts";

/** The earlier command that a shell call continues, with a link to it. */
export function SessionLine({ seq, session }: { seq: number; session: string }) {
  const { source } = useTrace();
  const { data: start } = useQuery(shellSessionQuery(source, session, seq));
  return (
    <p className="flex min-w-0 items-center gap-1.5 px-3 pb-2 text-[13px] text-muted-foreground">
      <CornerDownRight aria-hidden className="size-3.5 shrink-0" />
      <span className="shrink-0">continues</span>
      {start === undefined || start === null ? (
        <span className="truncate">
          session <VisibleText text={session} />
        </span>
      ) : (
        <>
          <StepLink seq={start.seq} className="shrink-0" />
          <code className="min-w-0 truncate text-xs" title={start.command}>
            $ <VisibleText text={start.command.split("\n", 1)[0] ?? ""} />
          </code>
        </>
      )}
    </p>
  );
}
