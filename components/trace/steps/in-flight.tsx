"use client";

import { Hourglass, LoaderCircle, MessageCircleQuestionMark, User } from "lucide-react";
import { memo, type ReactNode } from "react";
import { ElapsedTime } from "#components/shell/elapsed-time.tsx";
import { useClock } from "#components/shell/use-clock.ts";
import { FoldedText } from "#components/text/fold.tsx";
import { Markdown } from "#components/text/markdown.tsx";
import { VisibleText } from "#components/text/visible-text.tsx";
import { toolIcons } from "#components/trace/entry/parts/entry-look.ts";
import { ToolName } from "#components/trace/entry/tools/tool-name.tsx";
import { cn } from "#components/ui/class-names.ts";
import type { LogEntry } from "#lib/contract/logs/entry.ts";
import type { Progress } from "#lib/contract/runs/progress.ts";
import { cutStart, cutText } from "#lib/cut-text.ts";
import { toolViewOf } from "#lib/entry/read-tool-view.ts";
import { headlineOf } from "#lib/entry/tool-view.ts";

type InFlightProps = {
  status: string;
  /** What the run waits for, in words; null if something is at work for it. */
  waiting: string | null;
  progress: Progress | null;
  /** The newest known entry, if any: older progress is part of it. */
  lastEntry: LogEntry | null;
  /** The run's prompt until the log contains it; otherwise null. */
  prompt: string | null;
  /** The page shows the question of a waiting run; a shared page does not. */
  hasQuestion: boolean;
};

/** The agent's current activity, until it becomes an entry. Not announced to screen readers; its entry is. */
export const InFlight = memo(function InFlight({ prompt, ...now }: InFlightProps) {
  return (
    <>
      {prompt !== null && <FirstMessage text={prompt} />}
      <Now {...now} />
    </>
  );
});

/** The first message of the run, until its entry replaces it. */
function FirstMessage({ text }: { text: string }) {
  return (
    <div className={cn(rail, "pt-5 pb-2.5")}>
      <User aria-hidden className="size-4 sm:col-start-2" />
      <div className="min-w-0 rounded-lg border border-border bg-muted px-4 py-3">
        <Markdown text={beginOf(text)} />
      </div>
    </div>
  );
}

function Now({ status, waiting, progress, lastEntry, hasQuestion }: Omit<InFlightProps, "prompt">) {
  if (waiting !== null) {
    return <Line icon={<Hourglass aria-hidden className="size-4 text-status-running" />}>{waiting}</Line>;
  }
  if (status === "waiting") {
    return (
      <Line icon={<MessageCircleQuestionMark aria-hidden className="size-4 text-status-waiting" />}>
        {hasQuestion ? "Waiting for your answer below." : "Waiting for a person's answer."}
      </Line>
    );
  }
  const isPast = progress !== null && lastEntry !== null && progress.updated_at <= lastEntry.created_at;
  const shown = isPast ? null : progress;
  const hasWords = shown !== null && (shown.thought !== "" || shown.text !== "");
  return (
    <div aria-live="off" className="grid gap-2 pb-2">
      {shown !== null && hasWords && (
        <div className="grid gap-2 pr-4 pl-12 sm:pl-[124px]">
          {shown.thought !== "" && <Markdown text={endOf(shown.thought)} className="text-muted-foreground" />}
          {shown.text !== "" && <Markdown text={endOf(shown.text)} />}
        </div>
      )}
      {shown?.tools.map((tool) => (
        <RunningTool key={tool.id} tool={tool} />
      ))}
      {(shown === null || shown.tools.length === 0) && (
        <Line icon={<LoaderCircle aria-hidden className="size-4 animate-turn text-status-running" />}>
          <span className="animate-breathe">{hasWords ? "Writing" : "Working"}</span>
        </Line>
      )}
      {progress?.heard_at !== undefined && (
        <Silence since={latest(progress.heard_at, lastEntry?.created_at)} log={progress.log ?? ""} />
      )}
    </div>
  );
}

const silentMs = 20_000;

/** Time since a working agent last reported anything, and its latest error output: some agents retry for minutes. */
function Silence({ since, log }: { since: string; log: string }) {
  const isSilent = useClock((nowMs) => (nowMs - Date.parse(since) > silentMs ? 1 : 0)) === 1;
  if (!isSilent) return null;
  const lines = lastLines(log);
  return (
    <div className={cn(rail, "pb-2.5 text-[13px] text-muted-foreground")}>
      <div className="col-start-2 grid min-w-0 gap-1.5 sm:col-start-3">
        <p>
          The agent has been silent for <ElapsedTime since={Date.parse(since)} />.
          {lines !== "" && " It last wrote to its error output:"}
        </p>
        {lines !== "" && (
          <div className="overflow-hidden rounded-lg border border-border bg-code">
            <FoldedText text={lines} ansi head={outputLines + 1} className="py-2" />
          </div>
        )}
      </div>
    </div>
  );
}

function latest(one: string, other: string | undefined): string {
  return other !== undefined && other > one ? other : one;
}

const rail = "grid grid-cols-[20px_minmax(0,1fr)] gap-x-3 px-4 sm:grid-cols-[64px_20px_minmax(0,1fr)]";

function Line({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <div className={cn(rail, "py-2.5 text-[13px] text-muted-foreground")}>
      <span className="flex justify-center pt-0.5 sm:col-start-2">{icon}</span>
      <p>{children}</p>
    </div>
  );
}

const outputLines = 10;

function RunningTool({ tool }: { tool: Progress["tools"][number] }) {
  const view = toolViewOf({ tool_name: tool.tool_name, tool_input: tool.tool_input, tool_output: null });
  const Icon = toolIcons[view.kind];
  const headline = headlineOf(view) || tool.title;
  const output = lastLines(tool.output);
  return (
    <div className={cn(rail, "py-2")}>
      <div className="flex flex-col items-center gap-1.5 sm:col-start-2">
        <Icon aria-hidden className="size-4 shrink-0 animate-breathe text-status-running" />
        <span aria-hidden className="w-px flex-1 bg-border" />
      </div>
      <div className="min-w-0 overflow-hidden rounded-lg border border-status-running/40 bg-card">
        <div className="flex min-h-9 flex-wrap items-center gap-x-2 gap-y-1 px-3 py-1.5">
          <ToolName name={tool.tool_name} />
          <span className="min-w-0 flex-1 basis-40 truncate font-mono text-[13px]">
            {view.kind === "shell" && "$ "}
            <VisibleText text={headline} isCode />
          </span>
          <span className="flex shrink-0 animate-breathe items-center gap-1.5 text-status-running text-xs">
            <LoaderCircle aria-hidden className="size-3.5 animate-turn" />
            running <ElapsedTime since={Date.parse(tool.started_at)} />
          </span>
        </div>
        {output !== "" && (
          <div className="border-border border-t bg-code">
            <FoldedText text={output} ansi head={outputLines + 1} className="py-2" />
          </div>
        )}
      </div>
    </div>
  );
}

/** Text in progress is parsed again with each update: show only its end, the entry will have all of it. */
function endOf(text: string): string {
  return cutStart(text, 4_000, "…");
}

/** A longer message can be read completely in its entry. */
function beginOf(text: string): string {
  return cutText(text, 4_000, "…");
}

function lastLines(output: string): string {
  return output.trimEnd().split("\n").slice(-outputLines).join("\n");
}
