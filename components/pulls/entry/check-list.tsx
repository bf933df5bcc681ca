"use client";

import { CircleCheck, CircleDotDashed, CircleSlash, CircleX, type LucideIcon } from "lucide-react";
import { useMemo } from "react";
import { formatDuration } from "#components/shell/format-time.ts";
import { FoldedText } from "#components/text/fold.tsx";
import { FoldButton } from "#components/text/fold-button.tsx";
import { useCurrentMatch, useOpenForMatch } from "#components/text/marks/current-match.tsx";
import { valueHolds } from "#components/text/marks/value-holds.ts";
import { VisibleText } from "#components/text/visible-text.tsx";
import { useStoredOpen } from "#components/trace/reader/trace-context.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { cn } from "#components/ui/class-names.ts";
import type { PullCheck } from "#lib/entry/pull-entry.ts";
import { HostLink } from "./pull-frame.tsx";

type CheckListProps = {
  checks: readonly PullCheck[];
  /** These checks also failed before the run's work. */
  redOnBase?: readonly string[];
  /** Identifies the list, so that it stays open if the reader opened it. */
  openKey: string;
};

/** Longer lists are folded; failed checks come first. */
const shownMax = 6;

/** Checks of a commit. Failed ones come first, each with its output. */
export function CheckList({ checks, redOnBase = [], openKey }: CheckListProps) {
  const sorted = useMemo(() => checks.toSorted((one, other) => rankOf(one) - rankOf(other)), [checks]);
  const currentMatch = useCurrentMatch();
  const hidesMatch = currentMatch !== null && valueHolds(sorted.slice(shownMax), currentMatch.needle);
  const [isOpen, setOpen] = useOpenForMatch(...useStoredOpen(openKey), hidesMatch);
  const canFold = sorted.length > shownMax + 1;
  if (sorted.length === 0) return null;
  return (
    <div className="min-w-0">
      <ul className="grid grid-cols-1 gap-1.5">
        {(canFold && !isOpen ? sorted.slice(0, shownMax) : sorted).map((check, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: checks have no id, may share a name, and never change.
          <Check key={index} check={check} isOld={redOnBase.includes(check.name)} openKey={`${openKey}.${index}`} />
        ))}
      </ul>
      {canFold && (
        <FoldButton
          isOpen={isOpen}
          label={`Show all ${sorted.length} checks`}
          onChange={setOpen}
          className="m-0 mt-1 -ml-2"
        />
      )}
    </div>
  );
}

function Check({ check, isOld, openKey }: { check: PullCheck; isOld: boolean; openKey: string }) {
  const { name, conclusion, url, durationMs, annotations, excerpt } = check;
  const { icon: Icon, color, word } = lookOf(conclusion);
  return (
    <li className="grid grid-cols-[16px_minmax(0,1fr)] gap-x-2 gap-y-1">
      <Icon aria-hidden className={cn("mt-0.5 size-4", color)} />
      <div className="flex flex-wrap items-center gap-x-2">
        <HostLink url={url}>{name}</HostLink>
        <span className="text-[13px] text-muted-foreground tabular-nums">
          {word}
          {durationMs !== null && ` in ${formatDuration(durationMs, { precise: true })}`}
        </span>
        {isOld && (
          <Badge variant="outline" title="It also failed on the commit that the run started from.">
            failed before
          </Badge>
        )}
      </div>
      {annotations.length > 0 && <Annotations annotations={annotations} openKey={`${openKey}.notes`} />}
      {excerpt !== null && (
        <div className="col-start-2 overflow-hidden rounded-md bg-code">
          <FoldedText text={excerpt} ansi head={3} tail={8} className="py-2" />
        </div>
      )}
    </li>
  );
}

const notesMax = 4;

function Annotations({ annotations, openKey }: { annotations: PullCheck["annotations"]; openKey: string }) {
  const currentMatch = useCurrentMatch();
  const hidesMatch = currentMatch !== null && valueHolds(annotations.slice(notesMax), currentMatch.needle);
  const [isOpen, setOpen] = useOpenForMatch(...useStoredOpen(openKey), hidesMatch);
  const canFold = annotations.length > notesMax;
  return (
    <div className="col-start-2 min-w-0">
      <ul className="grid grid-cols-1 gap-1 text-[13px]">
        {(isOpen ? annotations : annotations.slice(0, notesMax)).map(({ path, line, message }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: annotations have no id and never change.
          <li key={index} className="[overflow-wrap:anywhere]">
            <Place path={path} line={line} /> <VisibleText text={message} />
          </li>
        ))}
      </ul>
      {canFold && (
        <FoldButton
          isOpen={isOpen}
          label={`Show all ${annotations.length} annotations`}
          onChange={setOpen}
          className="m-0 -ml-2"
        />
      )}
    </div>
  );
}

/** Location in a file: `lib/greet.ts:12`. */
export function Place({ path, line }: { path: string; line: number | null }) {
  return (
    <code className="text-muted-foreground text-xs [overflow-wrap:anywhere]">
      <VisibleText text={line === null ? path : `${path}:${line}`} />
    </code>
  );
}

function lookOf(conclusion: string | null): { icon: LucideIcon; color: string; word: string } {
  if (conclusion === null) return { icon: CircleDotDashed, color: "text-status-running", word: "running" };
  if (conclusion === "success") return { icon: CircleCheck, color: "text-status-completed", word: "passed" };
  if (conclusion === "neutral" || conclusion === "skipped") {
    return { icon: CircleSlash, color: "text-muted-foreground", word: conclusion };
  }
  const word = conclusion === "failure" ? "failed" : conclusion.replaceAll("_", " ");
  return { icon: CircleX, color: "text-status-failed", word };
}

function rankOf({ conclusion }: PullCheck): number {
  if (conclusion === "success" || conclusion === "neutral" || conclusion === "skipped") return 2;
  return conclusion === null ? 1 : 0;
}
