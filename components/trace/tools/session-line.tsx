"use client";

import { useQuery } from "@tanstack/react-query";
import { CornerDownRight } from "lucide-react";
import { VisibleText } from "#components/trace/text/visible-text.tsx";
import { useSeqOffset, useTrace } from "#components/trace/trace-context.tsx";
import { searchOf, usePageSearch } from "#components/trace/use-page-search.ts";
import { shellSessionQuery } from "#lib/client/shell-session-query.ts";

/** Which earlier command a shell call continues, with the way to it. */
export function SessionLine({ seq, session }: { seq: number; session: string }) {
  const { source } = useTrace();
  const offset = useSeqOffset();
  const { show } = usePageSearch();
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
          <a
            href={searchOf({ tab: "trace", entry: String(start.seq + offset) })}
            onClick={(event) => {
              if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
              event.preventDefault();
              show({ tab: "trace", entry: String(start.seq + offset) }, "push");
            }}
            className="shrink-0 text-link hover:underline"
          >
            #{start.seq + offset}
          </a>
          <code className="min-w-0 truncate text-xs" title={start.command}>
            $ <VisibleText text={start.command.split("\n", 1)[0] ?? ""} />
          </code>
        </>
      )}
    </p>
  );
}
