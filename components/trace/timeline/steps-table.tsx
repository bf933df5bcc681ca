import { type ReactNode, useState } from "react";
import { formatCount, formatCountOf } from "#components/shell/format-number.ts";
import { formatDuration } from "#components/shell/format-time.ts";
import { VisibleText } from "#components/text/visible-text.tsx";
import { StepLink } from "#components/trace/reader/step-link.tsx";
import { Button } from "#components/ui/button.tsx";
import { cn } from "#components/ui/class-names.ts";
import { scrolledByKeyboard } from "#components/ui/scrolled-by-keyboard.ts";
import type { Pointed } from "./chart-rows.ts";
import { nameOf } from "./describe-pointed.ts";
import { distinguishableUses, labelsOfUses } from "./mark-looks.ts";
import { offsetLabel } from "./time-ticks.ts";
import type { Bar, Range, TimelineData } from "./timeline-data.ts";
import { useStepWords } from "./use-step-words.ts";
import { rowsOfParts } from "./view-summary.ts";

type StepsTableProps = {
  data: TimelineData;
  view: Range;
  startedAt: number;
  pointed: Pointed | null;
  onPoint: (pointed: Pointed | null) => void;
  onView: (view: Range) => void;
};

/** More steps are shown on demand. */
const stepsMax = 60;
/** Of more steps, the first so many say what they were about: it takes their entries. */
const describedMax = 250;
const rowsMax = 20;

/** The chart's content as a table: single steps, or intervals with the number of steps in each. */
export function StepsTable(props: StepsTableProps) {
  return props.data.bars === null ? <StretchRows {...props} /> : <StepRows {...props} bars={props.data.bars} />;
}

function StepRows({ bars, view, startedAt, pointed, onPoint }: StepsTableProps & { bars: readonly Bar[] }) {
  const [showsAll, setShowsAll] = useState(false);
  const inView = bars.filter(({ from, to }) => to >= view.from && from <= view.to);
  const shown = showsAll ? inView : inView.slice(0, stepsMax);
  const words = useStepWords(shown.slice(0, describedMax).map(({ seq }) => seq));
  return (
    <Table
      caption={`${formatCountOf(inView.length, "step")} in view`}
      heads={["Step", "What", "Took", "Ended at"]}
      className="max-w-[820px]"
    >
      {shown.map((bar) => (
        <tr
          key={bar.seq}
          data-seq-row={bar.seq}
          className={cn(
            "border-border border-t hover:bg-accent",
            pointed?.kind === "bar" && pointed.bar.seq === bar.seq && "bg-accent",
          )}
          onPointerEnter={() => onPoint({ kind: "bar", bar })}
          onPointerLeave={() => onPoint(null)}
        >
          <Cell>
            <StepLink seq={bar.seq} onFocus={() => onPoint({ kind: "bar", bar })} />
          </Cell>
          <Cell className="w-full max-w-0 truncate">
            {nameOf(bar)}
            {words.has(bar.seq) && (
              <span className={cn("ml-2 text-muted-foreground", bar.message_type === "ACTION" && "font-mono text-xs")}>
                <VisibleText text={words.get(bar.seq) ?? ""} isCode={bar.message_type === "ACTION"} />
              </span>
            )}
            {bar.is_error && (
              <span className="ml-2 text-status-failed text-xs">{bar.lane === null ? "" : "failed"}</span>
            )}
          </Cell>
          <Cell className="text-right">
            {bar.to > bar.from ? formatDuration(bar.to - bar.from, { precise: true }) : "–"}
          </Cell>
          <Cell className="text-right text-muted-foreground">
            {/* The same as beside the step in Trace. */}
            <time dateTime={new Date(bar.to).toISOString()} title={new Date(bar.to).toISOString()}>
              {formatDuration(bar.to - startedAt, { precise: true })}
            </time>
          </Cell>
        </tr>
      ))}
      {shown.length < inView.length && (
        <tr className="border-border border-t">
          <td colSpan={4} className="py-1.5">
            <Button variant="ghost" size="sm" onClick={() => setShowsAll(true)}>
              Show {formatCount(inView.length - shown.length)} more
            </Button>
          </td>
        </tr>
      )}
    </Table>
  );
}

function StretchRows({ data, view, startedAt, onView }: StepsTableProps) {
  const rows = rowsOfParts(data.parts, view, rowsMax);
  const uses = distinguishableUses(data.parts);
  const labels = labelsOfUses(data.parts);
  const heads = ["From", "Steps", "Errors", ...uses.map((use) => labels[use]), "First step"];
  return (
    <Table caption="By interval" heads={heads}>
      {rows.map((row) => (
        <tr key={row.from} className="border-border border-t hover:bg-accent">
          <Cell>
            <button
              type="button"
              className="rounded-sm text-link tabular-nums hover:underline"
              aria-label={`Zoom in from ${offsetLabel(row.from - startedAt, view.to - view.from)}`}
              onClick={() => onView({ from: row.from, to: row.to })}
            >
              {offsetLabel(row.from - startedAt, view.to - view.from)}
            </button>
          </Cell>
          <Cell className="text-right">{formatCount(row.steps)}</Cell>
          <Cell className={cn("text-right", row.errors > 0 && "text-status-failed")}>{formatCount(row.errors)}</Cell>
          {uses.map((use) => (
            <Cell key={use} className="text-right text-muted-foreground">
              {row.spent[use] < 1 ? "–" : formatDuration(row.spent[use], { precise: true })}
            </Cell>
          ))}
          <Cell className="text-right">{row.firstSeq !== null && <StepLink seq={row.firstSeq} />}</Cell>
        </tr>
      ))}
    </Table>
  );
}

type TableProps = { caption: string; heads: string[]; className?: string; children: ReactNode };

function Table({ caption, heads, className, children }: TableProps) {
  return (
    <div className={cn("overflow-x-auto", className)} {...scrolledByKeyboard}>
      <table className="w-full text-[13px] tabular-nums">
        <caption className="pb-1.5 text-left text-muted-foreground">{caption}</caption>
        <thead>
          <tr className="text-muted-foreground text-xs">
            {heads.map((head, index) => (
              <th
                key={head}
                scope="col"
                className={cn(
                  "whitespace-nowrap py-1 pr-4 font-normal last:pr-0",
                  index === 0 ? "text-left" : "text-right",
                  head === "What" && "text-left",
                )}
              >
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

function Cell({ className, children }: { className?: string; children: ReactNode }) {
  return <td className={cn("whitespace-nowrap py-1 pr-4 last:pr-0", className)}>{children}</td>;
}
