"use client";

import { type ReactNode, type RefObject, useCallback, useRef, useState } from "react";
import { isLive } from "#lib/client/is-live.ts";
import type { TraceSource } from "#lib/client/trace-source.ts";
import type { RunTail } from "#lib/client/use-run-tail.ts";
import type { LogEntry } from "#lib/contract/entry.ts";
import type { Run } from "#lib/contract/run.ts";
import { EntryList } from "./entry-list.tsx";
import { useRunFind } from "./find/use-run-find.tsx";
import { allFolded } from "./group/use-groups.ts";
import { InFlight } from "./in-flight.tsx";
import type { VirtualFeedHandle } from "./list/virtual-feed.tsx";
import { allPlaces } from "./list-places.ts";
import { type Opening, parseEntry } from "./log-windows.ts";
import { Minimap } from "./minimap/minimap.tsx";
import { RunEnd } from "./run-end.tsx";
import { useFindError } from "./use-find-error.ts";
import { useAllEntries } from "./use-log-windows.ts";
import type { usePageSearch } from "./use-page-search.ts";

type TraceFeedProps = {
  source: TraceSource;
  run: Run;
  tail: Pick<RunTail, "totalLogs" | "recent" | "progress">;
  opening: Opening;
  search: ReturnType<typeof usePageSearch>;
  feed: RefObject<VirtualFeedHandle | null>;
  mayResume: boolean;
  /** Scrolled with the steps, above the first one. */
  header: ReactNode;
};

/** The steps of a run beside their map: read in windows around the view, growing while the run goes on. */
export function TraceFeed({ source, run, tail, opening, search, feed, mayResume, header }: TraceFeedProps) {
  const { totalLogs, recent, progress } = tail;
  const marked = parseEntry(search.entry);
  const { show } = search;
  const mark = useCallback((seq: number) => show({ entry: String(seq) }, "replace"), [show]);
  const area = useRef<HTMLDivElement>(null);
  const passing = useRef<VirtualFeedHandle>(null);
  const [folding, setFolding] = useState(() =>
    marked === null ? allFolded : { ...allFolded, revealed: new Set([marked - 1]) },
  );
  const isShown = search.tab === "trace";
  const find = useRunFind({ source, totalLogs, feed, area, search, isShown });
  const windowQuery = useAllEntries(source);
  const footer = (last: LogEntry | null) =>
    isLive(run) ? (
      <InFlight status={run.status} progress={progress} lastEntry={recent.at(-1) ?? last} />
    ) : (
      <RunEnd run={run} totalLogs={totalLogs} mayResume={mayResume} />
    );
  return (
    <div ref={area} className="relative flex min-h-0 flex-1">
      <Minimap {...{ source, totalLogs, area }} feed={passing} marks={find.marks} />
      {find.around(
        <EntryList
          ref={feed}
          passing={passing}
          {...{ windowQuery, totalLogs, recent, marked, folding, header, footer }}
          placesOf={() => allPlaces(totalLogs)}
          count={totalLogs}
          start={opening.at === "entry" ? opening.seq - 1 : opening.at}
          isLive={isLive(run)}
          onMark={mark}
          onHidden={() => undefined}
          onFolding={setFolding}
          hasGroups
          findError={useFindError(source, totalLogs)}
          isShown={isShown}
          onAskFilter={() => undefined}
        />,
      )}
      {find.bar}
    </div>
  );
}
