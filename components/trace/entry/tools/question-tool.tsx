"use client";

import { Circle, CircleCheck } from "lucide-react";
import { VisibleText } from "#components/text/visible-text.tsx";
import { cn } from "#components/ui/class-names.ts";
import type { AskedQuestion } from "#lib/entry/question.ts";
import { headlineOf, type ToolView } from "#lib/entry/tool-view.ts";
import { answerOf } from "./folded-answer.tsx";
import { ToolFrame, type ToolProps } from "./tool-frame.tsx";

/** Questions that the agent asked a person, with their options and answers. */
export function QuestionTool({ entry, view }: ToolProps<Extract<ToolView, { kind: "question" }>>) {
  const { questions } = view;
  const { folded, shown } = answerOf(entry);
  return (
    <ToolFrame entry={entry} folded={folded} headline={questions.length === 1 ? "" : headlineOf(view)} isCode={false}>
      <ol className="grid gap-3 px-3 pb-3">
        {questions.map((question) => (
          <Question key={`${question.header} ${question.text}`} question={question} />
        ))}
      </ol>
      {shown}
    </ToolFrame>
  );
}

function Question({ question: { header, text, options, answer, isMultiple } }: { question: AskedQuestion }) {
  const isOffered = options.some(({ label }) => isChosen(label, answer));
  return (
    <li className="grid min-w-0 gap-1.5">
      <p className="font-medium [overflow-wrap:anywhere]">
        {header !== null && (
          <span className="font-normal text-muted-foreground">
            <VisibleText text={header} />
            {" · "}
          </span>
        )}
        <VisibleText text={text} />
        {isMultiple && <span className="font-normal text-muted-foreground"> (choose any number)</span>}
      </p>
      {options.length > 0 && (
        <ul className="grid gap-1">
          {options.map(({ label, description }) => {
            const chosen = isChosen(label, answer);
            const Icon = chosen ? CircleCheck : Circle;
            return (
              <li key={label} className="flex items-start gap-2">
                <Icon
                  aria-hidden
                  className={cn("mt-0.5 size-4 shrink-0", chosen ? "text-status-completed" : "text-muted-foreground")}
                />
                <span className="min-w-0 [overflow-wrap:anywhere]">
                  {chosen && <span className="sr-only">chosen: </span>}
                  <span className={cn(!chosen && answer !== null && "text-muted-foreground")}>
                    <VisibleText text={label} />
                  </span>
                  {description !== null && (
                    <span className="block text-[13px] text-muted-foreground">
                      <VisibleText text={description} />
                    </span>
                  )}
                </span>
              </li>
            );
          })}
        </ul>
      )}
      {answer !== null && !isOffered && (
        <p className="border-border border-l-2 pl-3 [overflow-wrap:anywhere]">
          <span className="text-muted-foreground">Answer: </span>
          <VisibleText text={answer} />
        </p>
      )}
    </li>
  );
}

/** Answers to questions with several choices list them, separated by commas. */
function isChosen(label: string, answer: string | null): boolean {
  return answer !== null && (answer === label || `, ${answer}, `.includes(`, ${label}, `));
}
