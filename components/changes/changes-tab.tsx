"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { FileDiff } from "lucide-react";
import { useSearchParams } from "next/navigation";
import { type ReactNode, type RefObject, useEffect, useMemo, useRef } from "react";
import { isTerminalSession } from "#components/runs/of-terminal.ts";
import { Loading } from "#components/shell/loading.tsx";
import { replaceAddress } from "#components/trace/reader/browser-history.ts";
import { ErrorAlert } from "#components/ui/alert.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { NativeSelect } from "#components/ui/native-select.tsx";
import { scrolledByKeyboard } from "#components/ui/scrolled-by-keyboard.ts";
import { useKeptFocus } from "#components/ui/use-kept-focus.ts";
import { describeError } from "#lib/client/client-error.ts";
import { isLive } from "#lib/client/live/is-live.ts";
import { diffKey, diffQuery, presentFilesKey } from "#lib/client/pages/change-queries.ts";
import type { TraceSource } from "#lib/client/pages/trace-source.ts";
import { externalAgent } from "#lib/contract/runs/agent-ids.ts";
import type { Run } from "#lib/contract/runs/run.ts";
import { indexPatch } from "#lib/entry/patch-index.ts";
import { BaseNotes } from "./base-notes.tsx";
import { LeftOutNote } from "./left-out-note.tsx";
import { ReportedChanges } from "./reported-changes-view.tsx";
import { IncompleteDiff, Review } from "./review.tsx";
import { UseWork } from "./use-work.tsx";

type ChangesTabProps = {
  orgId: number;
  run: Run;
  origin: string;
  source: TraceSource;
  totalLogs: number;
  isShown: boolean;
  /** Reason this person may not write to the run, or null. */
  refusal: string | null;
  onRun: (run: Run, prompt: string) => void;
};

/** The run's changes as a review, either against its base or since a turn. */
export function ChangesTab(props: ChangesTabProps) {
  const { orgId, run, origin, source, totalLogs, isShown, refusal, onRun } = props;
  const { sinceTurn, choose } = useSinceTurn();
  const { data, error, refetch, isPending } = useQuery(diffQuery(orgId, run.id, sinceTurn));
  useReadAfterTurn(orgId, run);
  const files = useMemo(() => (data === undefined ? null : indexPatch(data)), [data]);
  const select = useRef<HTMLSelectElement>(null);
  // Choosing a turn loads other changes, and the choice is rendered again beside them.
  const keptFocus = useKeptFocus(select);
  const turnChoice = <SinceTurn {...{ run, sinceTurn, choose, select, keptFocus }} />;
  if (files !== null && files.length > 0) {
    return (
      <Review
        {...{ orgId, run, sinceTurn, files, isShown, onRun, turnChoice }}
        mayComment={refusal === null && !isTerminalSession(run)}
      >
        <UseWork {...{ orgId, run, origin }} />
        {run.changes?.truncated === true && <IncompleteDiff run={run} />}
        <LeftOutNote run={run} />
        <BaseNotes changes={run.changes} />
      </Review>
    );
  }
  return (
    <div className="relative min-h-0 min-w-0 flex-1 overflow-y-auto" {...scrolledByKeyboard}>
      <div className="mx-auto grid max-w-[1080px] grid-cols-1 gap-4 px-4 py-4">
        {sinceTurn > 0 && <div className="flex">{turnChoice}</div>}
        <LeftOutNote run={run} />
        {error !== null && files === null && (
          <ErrorAlert
            title="The changes could not be loaded"
            {...describeError(error)}
            onRetry={() => void refetch()}
          />
        )}
        {isPending && <Loading label="Loading the changes" className="p-0" />}
        {files !== null && (
          <NoChanges {...{ run, sinceTurn }} reported={<ReportedChanges {...{ source, run, totalLogs, isShown }} />} />
        )}
      </div>
    </div>
  );
}

function NoChanges({ run, sinceTurn, reported }: { run: Run; sinceTurn: number; reported: ReactNode }) {
  if (run.agent === externalAgent) return reported;
  const since = `Nothing has changed since turn ${sinceTurn}.`;
  const words = isLive(run)
    ? "The run's changes are saved at the end of each turn and shown here."
    : run.work_left_out > 0
      ? "Nothing that the run changed is in its branch."
      : "The run ended without changing any files.";
  return <EmptyState icon={<FileDiff />} title="No changes" description={sinceTurn > 0 ? since : words} />;
}

/** The turn after which changes are shown, stored in the address; 0 shows all changes. */
function useSinceTurn(): { sinceTurn: number; choose: (turn: number) => void } {
  const given = useSearchParams().get("since") ?? "";
  const choose = (turn: number) => {
    const search = new URLSearchParams(window.location.search);
    if (turn === 0) search.delete("since");
    else search.set("since", String(turn));
    replaceAddress(`?${search}`);
  };
  return { sinceTurn: /^[1-9]\d{0,8}$/.test(given) ? Number(given) : 0, choose };
}

type SinceTurnProps = {
  run: Run;
  sinceTurn: number;
  choose: (turn: number) => void;
  select: RefObject<HTMLSelectElement | null>;
  keptFocus: ReturnType<typeof useKeptFocus>;
};

/** Chooses between all changes and those after a turn. Shows nothing while there is only one turn. */
function SinceTurn({ run, sinceTurn, choose, select, keptFocus }: SinceTurnProps) {
  const started = run.turns - run.queued_turns;
  const before = Array.from({ length: Math.max(0, started - 1) }, (_, index) => index + 1);
  const turns = sinceTurn === 0 || before.includes(sinceTurn) ? before : [...before, sinceTurn];
  if (turns.length === 0) return null;
  return (
    <NativeSelect
      ref={select}
      {...keptFocus}
      aria-label="Changes to show"
      className="h-control-sm pl-2 text-[13px]"
      value={sinceTurn}
      onChange={(event) => choose(Number(event.target.value))}
    >
      <option value={0}>All changes</option>
      {turns.map((turn) => (
        <option key={turn} value={turn}>
          Since turn {turn}
        </option>
      ))}
    </NativeSelect>
  );
}

/** Reads the diff and the shown files again after each turn: the turn's end stores them again. */
function useReadAfterTurn(orgId: number, run: Run): void {
  const client = useQueryClient();
  const version = JSON.stringify([run.changes, run.finished_at]);
  const read = useRef(version);
  useEffect(() => {
    if (read.current === version) return;
    read.current = version;
    void client.invalidateQueries({ queryKey: diffKey(orgId, run.id) });
    void client.invalidateQueries({ queryKey: presentFilesKey(orgId, run.id) });
  }, [client, orgId, run.id, version]);
}
