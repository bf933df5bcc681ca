import { ShieldCheck, ShieldX } from "lucide-react";
import { formatCount } from "#components/shell/format-number.ts";
import { formatDuration } from "#components/shell/format-time.ts";
import { Badge } from "#components/ui/badge.tsx";
import { hasFailed, type ToolResult } from "./tool-result.ts";

/** How a tool ended, at a glance: exit code or status, who allowed it, what was cut, how long it took. */
export function ResultChips({ result }: { result: ToolResult }) {
  return (
    <>
      <Permission permission={result.permission} />
      {result.truncated !== null && (
        <Badge variant="outline" title="The middle of the output was left out when it was recorded.">
          {result.truncated.droppedCharacters === null
            ? "cut"
            : `${formatCount(result.truncated.droppedCharacters)} characters cut`}
        </Badge>
      )}
      <End result={result} />
      {result.durationMs !== null && (
        <span className="whitespace-nowrap text-muted-foreground text-xs tabular-nums">
          {formatDuration(result.durationMs, { precise: true })}
        </span>
      )}
    </>
  );
}

function End({ result }: { result: ToolResult }) {
  const { status, exitCode, signal } = result;
  if (exitCode !== null) return <Badge variant={exitCode === 0 ? "completed" : "failed"}>exit {exitCode}</Badge>;
  if (signal !== null) return <Badge variant="failed">{signal}</Badge>;
  if (status === null || !hasFailed(result)) return null;
  return <Badge variant={status === "failed" || status === "error" ? "failed" : "default"}>{status}</Badge>;
}

const deciders: Record<string, string> = {
  auto: "automatically",
  "read-only": "by the read-only mode",
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
  // What the mode allows by itself it allows in every step: the icon is enough.
  const isUsual = isAllowed && by === "auto";
  return (
    <Badge variant={isAllowed ? "outline" : "default"} title={`Permission: ${title}`}>
      <Icon aria-hidden />
      <span className={isUsual ? "sr-only" : undefined}>{isUsual ? title : words}</span>
    </Badge>
  );
}
