import type { Tint } from "#components/canvas/pencil.ts";
import { formatCount, formatCountOf } from "#components/shell/format-number.ts";
import { formatDuration } from "#components/shell/format-time.ts";
import { type Use, useTints } from "./mark-looks.ts";
import type { ViewSummary } from "./view-summary.ts";

type LegendProps = { summary: ViewSummary; uses: readonly Use[]; labels: Record<Use, string> };

/** If fewer tool calls in view than this share have a duration, the legend says how many do. */
const timedShareMin = 0.9;

/** Uses of the time in view, with the colors of the chart. */
export function Legend({ summary: { spent, steps, errors, calls, timedCalls }, uses, labels }: LegendProps) {
  const all = uses.reduce((sum, use) => sum + spent[use], 0);
  return (
    <dl className="flex flex-wrap gap-x-5 gap-y-1 text-[13px]">
      {uses.map((use) => (
        <div key={use} className="flex items-center gap-1.5">
          <Swatch use={use} />
          <dt className="text-muted-foreground">{labels[use]}</dt>
          <dd className="tabular-nums">
            {formatDuration(spent[use], { precise: true })}
            {all > 0 && spent[use] > 0 && (
              <span className="ml-1 text-muted-foreground">{percentOf(spent[use] / all)}</span>
            )}
          </dd>
        </div>
      ))}
      <div className="flex items-center gap-1.5">
        <dt className="sr-only">Steps</dt>
        <dd className="tabular-nums">{formatCountOf(steps, "step")}</dd>
      </div>
      {errors > 0 && (
        <div className="flex items-center gap-1.5">
          <span aria-hidden className="size-2.5 rounded-[2px] bg-status-failed" />
          <dt className="sr-only">Errors</dt>
          <dd className="tabular-nums">{formatCountOf(errors, "error")}</dd>
        </div>
      )}
      {timedCalls < calls * timedShareMin && (
        <div className="basis-full text-muted-foreground text-xs">
          <dt className="sr-only">Durations</dt>
          <dd>
            {timedCalls === 0
              ? "Tool durations were not recorded, so tool time is shown together with the agent’s."
              : `${formatCount(timedCalls)} of ${formatCountOf(calls, "tool call")} have a recorded duration; the time of the others counts as the agent’s.`}
          </dd>
        </div>
      )}
    </dl>
  );
}

function percentOf(share: number): string {
  return share < 0.01 ? "<1%" : `${Math.round(share * 100)}%`;
}

function Swatch({ use }: { use: Use }) {
  const color = colorOf(useTints[use]);
  const isHatched = use === "idle" || use === "waiting";
  const background = isHatched ? `repeating-linear-gradient(135deg, ${color} 0 1.5px, transparent 1.5px 4px)` : color;
  return <span aria-hidden className="size-2.5 rounded-[2px] border border-border" style={{ background }} />;
}

function colorOf({ token, alpha }: Tint): string {
  return `color-mix(in srgb, var(${token}) ${alpha * 100}%, transparent)`;
}
