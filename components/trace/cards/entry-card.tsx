"use client";

import { useQuery } from "@tanstack/react-query";
import { type ComponentType, memo, useCallback, useMemo, useState } from "react";
import { formatCountOf } from "#components/shell/format-number.ts";
import { valueHolds } from "#components/trace/find/find-text.ts";
import { type Sought, SoughtProvider, useFindTarget, WholeEntryProvider } from "#components/trace/find/sought.tsx";
import { useTrace } from "#components/trace/trace-context.tsx";
import { Button } from "#components/ui/button.tsx";
import { describeError } from "#lib/client/client-error.ts";
import { logEntryQuery } from "#lib/client/log-queries.ts";
import { type LogEntry, MessageType } from "#lib/contract/entry.ts";
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

const cards: Record<MessageType, ComponentType<CardProps>> = {
  ACTION: ActionCard,
  PLAN_EVALUATION: PlanCard,
  FINAL_ANSWER: FinalAnswerCard,
  ERROR: ErrorCard,
  USER_MESSAGE: UserMessageCard,
  USER_GITHUB_ISSUE_COMMENT: NoticeCard,
  INITIAL_PR_GENERATION: NoticeCard,
  DETECT_PR_ERRORS: NoticeCard,
  FIX_PR_ERRORS: NoticeCard,
  PR_CREATION_FAILED: NoticeCard,
  PR_EVALUATION: NoticeCard,
  COMMIT_EVALUATION: NoticeCard,
  AGENT_RUN_LINK: RunLinkCard,
};

/** What an entry says, by its type; a type that is not known here is shown generically. Cut strings are read whole on demand. */
export const EntryCard = memo(function EntryCard(props: CardProps) {
  const { entry } = props;
  const sought = useFindTarget(entry.seq);
  return (
    <SoughtProvider value={sought}>
      {entry.clipped === undefined || entry.clipped.length === 0 ? (
        <CardOfType {...props} />
      ) : (
        <CutCard {...props} cut={entry.clipped} sought={sought} />
      )}
    </SoughtProvider>
  );
});

function CardOfType(props: CardProps) {
  const { entry } = props;
  const type = MessageType.safeParse(entry.message_type);
  const Card = type.success ? cards[type.data] : NoticeCard;
  return (
    <>
      <Card {...props} />
      <EntryImages entry={entry} />
    </>
  );
}

type CutCardProps = CardProps & { cut: readonly string[]; sought: Sought | null };

/** An entry of which long strings were cut, until somebody wants them whole. */
function CutCard({ cut, sought, ...props }: CutCardProps) {
  const { entry } = props;
  const { source } = useTrace();
  const [isWanted, setWanted] = useState(false);
  // What was found may stand behind the place where a text was cut.
  const isSoughtBehind = useMemo(() => sought !== null && !valueHolds(textOf(entry), sought.needle), [sought, entry]);
  const askWhole = useCallback(() => setWanted(true), []);
  // Of an image nothing is to be seen until it is there whole.
  const hasImage = useMemo(() => imageSourcesOf([entry.tool_output, entry.observation]).length > 0, [entry]);
  const whole = useQuery({
    ...logEntryQuery(source, entry.seq),
    enabled: isWanted || isSoughtBehind || hasImage,
  });
  return (
    <>
      <WholeEntryProvider value={askWhole}>
        <CardOfType {...props} entry={whole.data ?? entry} />
      </WholeEntryProvider>
      {whole.data === undefined && !(hasImage && whole.isFetching) && (
        <div className="mt-2 flex flex-wrap items-center gap-2 text-[13px] text-muted-foreground">
          <span>{formatCountOf(cut.length, "long part")} of this step cut short here.</span>
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

/** What of an entry is searched. */
function textOf({ thought, tool_name, tool_input, tool_output, observation }: LogEntry): unknown[] {
  return [thought, tool_name, tool_input, tool_output, observation];
}
