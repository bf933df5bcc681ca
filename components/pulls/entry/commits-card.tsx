"use client";

import { CircleX, TriangleAlert } from "lucide-react";
import { formatCountOf } from "#components/shell/format-number.ts";
import { DiffCounts } from "#components/text/diff-counts.tsx";
import { FoldButton } from "#components/text/fold-button.tsx";
import { useCurrentMatch, useOpenForMatch } from "#components/text/marks/current-match.tsx";
import { valueHolds } from "#components/text/marks/value-holds.ts";
import { VisibleText } from "#components/text/visible-text.tsx";
import { useStoredOpen } from "#components/trace/reader/trace-context.tsx";
import { type CommitFinding, type PullEntry, pullHeadline } from "#lib/entry/pull-entry.ts";
import { Place } from "./check-list.tsx";
import { Commit, PullFrame } from "./pull-frame.tsx";

type Commits = Extract<PullEntry, { kind: "commits" }>;

const shownMax = 5;

/** Commits of the run, and whether they are pushed. */
export function CommitsCard({ commits, openKey }: { commits: Commits; openKey: string }) {
  const { verdict, commit, files, insertions, deletions, behind, findings } = commits;
  const tone = verdict === "refused" ? "bad" : "plain";
  return (
    <PullFrame title={pullHeadline(commits)} tone={tone} aside={<Commit name={commit} />}>
      {files !== null && (
        <p className="flex flex-wrap gap-x-2 text-[13px] text-muted-foreground tabular-nums">
          {formatCountOf(files, "file")} <DiffCounts added={insertions} removed={deletions} />
          {behind !== null && behind > 0 && <span>{formatCountOf(behind, "commit")} behind its base</span>}
        </p>
      )}
      {findings.length > 0 && <Findings findings={findings} openKey={`${openKey}.findings`} />}
    </PullFrame>
  );
}

function Findings({ findings, openKey }: { findings: readonly CommitFinding[]; openKey: string }) {
  const currentMatch = useCurrentMatch();
  const hidesMatch = currentMatch !== null && valueHolds(findings.slice(shownMax), currentMatch.needle);
  const [isOpen, setOpen] = useOpenForMatch(...useStoredOpen(openKey), hidesMatch);
  return (
    <div className="min-w-0">
      <ul className="grid grid-cols-1 gap-1">
        {(isOpen ? findings : findings.slice(0, shownMax)).map(({ path, line, detail, refuses }, index) => {
          const Icon = refuses ? CircleX : TriangleAlert;
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: findings have no id and never change.
            <li key={index} className="flex items-start gap-2">
              <Icon
                aria-hidden
                className={`mt-0.5 size-4 shrink-0 ${refuses ? "text-status-failed" : "text-status-waiting"}`}
              />
              <span className="min-w-0 [overflow-wrap:anywhere]">
                <Place path={path} line={line} /> <VisibleText text={detail} />
              </span>
            </li>
          );
        })}
      </ul>
      {findings.length > shownMax && (
        <FoldButton isOpen={isOpen} label={`Show all ${findings.length}`} onChange={setOpen} className="m-0 -ml-2" />
      )}
    </div>
  );
}
