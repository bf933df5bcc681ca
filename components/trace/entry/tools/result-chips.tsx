import { ShieldCheck, ShieldX } from "lucide-react";
import { formatCount } from "#components/shell/format-number.ts";
import { formatDuration } from "#components/shell/format-time.ts";
import { outcomeLooks } from "#components/trace/entry/parts/outcome-look.ts";
import { Badge } from "#components/ui/badge.tsx";
import type { Outcome } from "#lib/entry/outcome.ts";
import type { ToolResult } from "#lib/entry/result.ts";

type ResultChipsProps = { outcome: Outcome; result: ToolResult };

/** Summary of how a tool call ended: outcome with the exit code, who allowed it, what was cut, and its duration. */
export function ResultChips({ outcome, result }: ResultChipsProps) {
  const { permission } = result;
  // A refusal by name already says how the call ended.
  const isExplained = permission !== null && permission.decision !== "allowed" && endsOfRefusal.has(outcome);
  return (
    <>
      <Permission permission={permission} />
      {result.truncated !== null && (
        <Badge variant="outline" title="The middle of the output was left out when it was recorded.">
          {result.truncated.droppedCharacters === null
            ? "cut"
            : `${formatCount(result.truncated.droppedCharacters)} characters cut`}
        </Badge>
      )}
      {!isExplained && <OutcomeBadge outcome={outcome} result={result} />}
      {result.durationMs !== null && result.durationMs >= 1 && (
        <span className="whitespace-nowrap text-muted-foreground text-xs tabular-nums">
          {formatDuration(result.durationMs, { precise: true })}
        </span>
      )}
    </>
  );
}

const endsOfRefusal: ReadonlySet<Outcome> = new Set(["refused", "cancelled"]);

/** The outcome as an icon and a word; for a successful call without an exit code the icon is enough. */
function OutcomeBadge({ outcome, result: { status, exitCode, signal } }: ResultChipsProps) {
  const { icon: Icon, word, variant } = outcomeLooks[outcome];
  const end = signal ?? (exitCode === null ? null : `exit ${exitCode}`);
  if (outcome === "ok" && end === null) {
    return (
      <span title="Succeeded" className="text-muted-foreground">
        <Icon aria-hidden className="size-3.5" />
        <span className="sr-only">{word}</span>
      </span>
    );
  }
  // An exit code that is a result (grep found nothing) is neither good nor bad.
  const isAnswer = outcome === "ok" && exitCode !== 0;
  const words = outcome === "ok" ? end : end === null ? word : `${word} · ${end}`;
  return (
    <Badge
      variant={isAnswer ? "default" : variant}
      data-outcome={outcome}
      title={isAnswer ? "This exit code is a result, not a failure" : status === null ? undefined : `Status: ${status}`}
    >
      {!isAnswer && <Icon aria-hidden />}
      {words}
    </Badge>
  );
}

const deciders: Record<string, string> = {
  auto: "automatically",
  "read-only": "by read-only mode",
  person: "by a person",
  timeout: "because nobody answered in time",
  cancel: "because the run was cancelled",
};

function Permission({ permission }: { permission: ToolResult["permission"] }) {
  if (permission === null) return null;
  const { decision, option, by } = permission;
  const words = [decision, by === null ? null : (deciders[by] ?? `by ${by}`)].filter(Boolean).join(" ");
  const title = option === null ? words : `${words} (${option.replaceAll("_", " ")})`;
  const isAllowed = decision === "allowed";
  const Icon = isAllowed ? ShieldCheck : ShieldX;
  // Calls allowed by the run's mode are the usual case: the icon is enough.
  const isUsual = isAllowed && by === "auto";
  return (
    <Badge variant={isAllowed ? "outline" : "default"} title={`Permission: ${title}`}>
      <Icon aria-hidden />
      <span className={isUsual ? "sr-only" : undefined}>{isUsual ? title : by === "cancel" ? decision : words}</span>
    </Badge>
  );
}
