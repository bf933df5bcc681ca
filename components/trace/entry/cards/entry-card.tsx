"use client";

import { useQuery } from "@tanstack/react-query";
import { type ComponentType, memo, Suspense, useMemo, useState } from "react";
import { formatCountOf } from "#components/shell/format-number.ts";
import {
  type CurrentMatch,
  CurrentMatchProvider,
  useFindTarget,
  type WholeEntry,
  WholeEntryProvider,
} from "#components/text/marks/current-match.tsx";
import { valueHolds } from "#components/text/marks/value-holds.ts";
import { useTrace } from "#components/trace/reader/trace-context.tsx";
import { Button } from "#components/ui/button.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { lazyPart } from "#components/ui/use-loaded.ts";
import { describeError } from "#lib/client/client-error.ts";
import { logEntryQuery } from "#lib/client/pages/log-queries.ts";
import type { LogEntry, MessageType } from "#lib/contract/logs/entry.ts";
import { messageTypes } from "#lib/contract/words.ts";
import { imageSourcesOf } from "#lib/entry/image-sources.ts";
import { ActionCard } from "./action-card.tsx";
import type { CardProps } from "./card-props.ts";
import { EntryImages } from "./entry-images.tsx";
import { ErrorCard } from "./error-card.tsx";
import { FinalAnswerCard } from "./final-answer-card.tsx";
import { NoticeCard } from "./notice-card.tsx";
import { PlanCard } from "./plan-card.tsx";
import { RunLinkCard } from "./run-link-card.tsx";
import { UserMessageCard } from "./user-message-card.tsx";

const PullEntry = lazyPart(
  async () => (await import("#components/pulls/entry/pull-card.tsx")).default,
  ({ other }) => other,
);

/** A card about a pull request, which few runs have. */
function PullCard({ entry }: CardProps) {
  return (
    <Suspense fallback={<Skeleton className="h-16" />}>
      <PullEntry entry={entry} other={<NoticeCard entry={entry} />} />
    </Suspense>
  );
}

const cards: Record<MessageType, ComponentType<CardProps>> = {
  ACTION: ActionCard,
  PLAN_EVALUATION: PlanCard,
  FINAL_ANSWER: FinalAnswerCard,
  ERROR: ErrorCard,
  USER_MESSAGE: UserMessageCard,
  USER_GITHUB_ISSUE_COMMENT: PullCard,
  INITIAL_PR_GENERATION: PullCard,
  DETECT_PR_ERRORS: PullCard,
  FIX_PR_ERRORS: PullCard,
  PR_CREATION_FAILED: PullCard,
  PR_EVALUATION: PullCard,
  COMMIT_EVALUATION: PullCard,
  AGENT_RUN_LINK: RunLinkCard,
};

/** Content of an entry, by its type; an unknown type is shown generically. Cut strings are loaded on demand. */
export const EntryCard = memo(function EntryCard({ entry }: CardProps) {
  const currentMatch = useFindTarget(entry.seq);
  return (
    <CurrentMatchProvider value={currentMatch}>
      {entry.clipped === undefined || entry.clipped.length === 0 ? (
        <CardOfType entry={entry} />
      ) : (
        <CutCard entry={entry} cut={entry.clipped} currentMatch={currentMatch} />
      )}
    </CurrentMatchProvider>
  );
});

function CardOfType({ entry }: CardProps) {
  const type = messageTypes.find((known) => known === entry.message_type);
  const Card = type === undefined ? NoticeCard : cards[type];
  return (
    <>
      <Card entry={entry} />
      <EntryImages entry={entry} />
    </>
  );
}

type CutCardProps = CardProps & { cut: readonly string[]; currentMatch: CurrentMatch | null };

/** An entry whose long strings are cut until the complete entry is requested. */
function CutCard({ entry, cut, currentMatch }: CutCardProps) {
  const { source } = useTrace();
  const [isWanted, setWanted] = useState(false);
  // A match may be beyond the cut.
  const isMatchBehind = useMemo(
    () => currentMatch !== null && !valueHolds(textOf(entry), currentMatch.needle),
    [currentMatch, entry],
  );
  // An image cannot be shown in part.
  const hasImage = useMemo(() => imageSourcesOf([entry.tool_output, entry.observation]).length > 0, [entry]);
  const whole = useQuery({
    ...logEntryQuery(source, entry.seq),
    enabled: isWanted || isMatchBehind || hasImage,
  });
  const isWhole = whole.data !== undefined;
  const provided = useMemo((): WholeEntry => {
    const ends = isWhole ? [] : cut.map((path) => endOf(String(valueAt(entry, path))));
    return {
      ask: () => setWanted(true),
      isCut: (text) => text !== "" && ends.includes(endOf(text)),
    };
  }, [entry, cut, isWhole]);
  return (
    <>
      <WholeEntryProvider value={provided}>
        <CardOfType entry={whole.data ?? entry} />
      </WholeEntryProvider>
      {whole.data === undefined && !(hasImage && whole.isFetching) && (
        <div className="mt-2 flex flex-wrap items-center gap-2 text-[13px] text-muted-foreground">
          <span>
            {formatCountOf(cut.length, "long part")} of this step {cut.length === 1 ? "is" : "are"} shortened here.
          </span>
          <Button
            variant="outline"
            size="sm"
            pending={whole.isFetching}
            onClick={() => (isWanted ? void whole.refetch() : setWanted(true))}
          >
            Show all
          </Button>
          {whole.error !== null && <span role="alert">{describeError(whole.error).detail}</span>}
        </div>
      )}
    </>
  );
}

/** The end of a text, as far as it tells one text from another. */
function endOf(text: string): string {
  return text.slice(-1_000).trimEnd().slice(-200);
}

/** What is at a path of `clipped`: `tool_output.output`. */
function valueAt(entry: LogEntry, path: string): unknown {
  return path.split(".").reduce((value: unknown, name) => Object(value)[name], entry);
}

/** Searchable content of an entry. */
function textOf({ thought, tool_name, tool_input, tool_output, observation }: LogEntry): unknown[] {
  return [thought, tool_name, tool_input, tool_output, observation];
}
