"use client";

import { type ReactNode, useMemo } from "react";
import { useCurrentMatch, useOpenForMatch } from "#components/text/marks/current-match.tsx";
import { valueHolds } from "#components/text/marks/value-holds.ts";
import { VisibleText } from "#components/text/visible-text.tsx";
import { FoldedMarkdown } from "#components/trace/entry/parts/folded-markdown.tsx";
import { useStoredOpen } from "#components/trace/reader/trace-context.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { Disclosure } from "#components/ui/disclosure.tsx";
import type { LogEntry } from "#lib/contract/logs/entry.ts";
import { type PullEntry, pullEntryOf, pullHeadline } from "#lib/entry/pull-entry.ts";
import { CheckList, Place } from "./check-list.tsx";
import { CommitsCard } from "./commits-card.tsx";
import { Commit, HostLink, PullFrame, type Tone } from "./pull-frame.tsx";

/** Card of an entry about a pull request; `other` renders entries of any other shape. */
export default function PullCard({ entry, other }: { entry: LogEntry; other: ReactNode }) {
  const read = useMemo(() => pullEntryOf(entry), [entry]);
  return read === null ? other : <CardOfKind read={read} openKey={`${entry.seq}.pull`} />;
}

function CardOfKind({ read, openKey }: { read: PullEntry; openKey: string }) {
  switch (read.kind) {
    case "commits":
      return <CommitsCard commits={read} openKey={openKey} />;
    case "opened":
      return <Opened read={read} openKey={openKey} />;
    case "failed":
      return <Failed read={read} />;
    case "checks":
      return <Checks read={read} openKey={openKey} />;
    case "fix":
      return <Fix read={read} />;
    case "result":
      return <Result read={read} openKey={openKey} />;
    case "comment":
      return <Comment read={read} openKey={openKey} />;
  }
}

type Of<Kind extends PullEntry["kind"]> = Extract<PullEntry, { kind: Kind }>;

function Opened({ read, openKey }: { read: Of<"opened">; openKey: string }) {
  const { number, url, title, body, branch, base, isDraft, isReused } = read;
  return (
    <PullFrame
      title={isReused ? "Found the open pull request" : "Opened a pull request"}
      aside={isDraft ? <Badge variant="outline">Draft</Badge> : undefined}
    >
      <p className="min-w-0">
        <HostLink url={url}>{`#${number} ${title}`}</HostLink>
      </p>
      {branch !== null && (
        <p className="text-[13px] text-muted-foreground [overflow-wrap:anywhere]">
          <code>{branch}</code>
          {base !== null && (
            <>
              {" → "}
              <code>{base}</code>
            </>
          )}
        </p>
      )}
      {body !== null && <Description text={body} openKey={openKey} />}
    </PullFrame>
  );
}

/** Tags that fold text on code hosts; here they would be shown as text. */
const foldTags = /<\/?(?:details|summary)>/g;

/** Description of the pull request. Closed at first, because it mostly repeats the run's own answer. */
function Description({ text, openKey }: { text: string; openKey: string }) {
  const currentMatch = useCurrentMatch();
  const [isOpen, setOpen] = useOpenForMatch(
    ...useStoredOpen(`${openKey}.description`),
    currentMatch !== null && valueHolds(text, currentMatch.needle),
  );
  return (
    <div className="min-w-0">
      <Disclosure label="Description" isOpen={isOpen} onChange={setOpen} className="-ml-2" />
      {isOpen && <FoldedMarkdown isTitled text={text.replaceAll(foldTags, "")} openKey={`${openKey}.body`} />}
    </div>
  );
}

function Failed({ read: { code, status, message, hint } }: { read: Of<"failed"> }) {
  const about = [code, status === null ? null : `HTTP ${status}`].filter((part) => part !== null).join(", ");
  return (
    <PullFrame
      title="The pull request was not opened"
      tone="bad"
      aside={about !== "" && <code className="text-muted-foreground text-xs">{about}</code>}
    >
      <p className="whitespace-pre-wrap [overflow-wrap:anywhere]" dir="auto">
        <VisibleText text={message} />
      </p>
      {hint !== null && (
        <p className="text-muted-foreground [overflow-wrap:anywhere]">
          <VisibleText text={hint} />
        </p>
      )}
    </PullFrame>
  );
}

function Checks({ read, openKey }: { read: Of<"checks">; openKey: string }) {
  const { commit, checks, failing, ignored, redOnBase } = read;
  const tone: Tone = failing.length > 0 ? "bad" : checks.length > 0 ? "good" : "plain";
  return (
    <PullFrame title={pullHeadline(read)} tone={tone} aside={<Commit name={commit} />}>
      <CheckList {...{ checks, redOnBase }} openKey={`${openKey}.checks`} />
      {ignored.length > 0 && (
        <p className="text-[13px] text-muted-foreground [overflow-wrap:anywhere]">
          Ignored: <VisibleText text={ignored.join(", ")} />
        </p>
      )}
    </PullFrame>
  );
}

function Fix({ read: { round, of, failing } }: { read: Of<"fix"> }) {
  return (
    <PullFrame title={`Fixing failed checks, round ${round} of ${of}`}>
      <p className="flex min-w-0 flex-wrap gap-1.5">
        {failing.map((name) => (
          <Badge key={name} variant="failed" className="shrink whitespace-normal [overflow-wrap:anywhere]">
            {name}
          </Badge>
        ))}
      </p>
    </PullFrame>
  );
}

const tones: Record<string, Tone> = {
  green: "good",
  merged: "good",
  red: "bad",
  gave_up: "bad",
  no_progress: "bad",
  refused: "bad",
  diverged: "note",
};

function Result({ read, openKey }: { read: Of<"result">; openKey: string }) {
  const { verdict, reason, number, url, checks } = read;
  return (
    <PullFrame
      title={`Result: ${pullHeadline(read)}`}
      tone={tones[verdict] ?? "plain"}
      aside={number !== null && <HostLink url={url}>{`#${number}`}</HostLink>}
    >
      {reason !== null && (
        <p className="[overflow-wrap:anywhere]">
          <VisibleText text={reason} />
        </p>
      )}
      <CheckList checks={checks} openKey={`${openKey}.checks`} />
    </PullFrame>
  );
}

function Comment({ read, openKey }: { read: Of<"comment">; openKey: string }) {
  const { author, permission, title, url, path, line, body } = read;
  return (
    <PullFrame
      title={pullHeadline(read)}
      aside={permission !== null && <Badge variant="outline">{permission} permission</Badge>}
    >
      <FoldedMarkdown isTitled text={body} openKey={`${openKey}.body`} />
      <p className="flex min-w-0 flex-wrap items-baseline gap-x-2 text-[13px] text-muted-foreground">
        {path !== null && <Place path={path} line={line} />}
        {(url !== null || title !== null) && <HostLink url={url}>{title ?? `Comment by ${author}`}</HostLink>}
      </p>
    </PullFrame>
  );
}
