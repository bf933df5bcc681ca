import { VisibleText } from "#components/text/visible-text.tsx";
import type { Description } from "./describe-pointed.ts";
import { useStepWords } from "./use-step-words.ts";

/** In px. */
const WIDTH_MAX = 300;

type TipProps = Description & {
  x: number;
  y: number;
  width: number;
  /** The selected step; null for a part of the run. */
  seq: number | null;
};

/** Describes the selected item, above it and inside the chart. */
export function Tip({ x, y, width, title, facts, seq }: TipProps) {
  const words = useStepWords(seq === null ? [] : [seq]).get(seq ?? 0) ?? "";
  const left = Math.max(0, Math.min(x - WIDTH_MAX / 2, width - WIDTH_MAX));
  return (
    <div
      aria-hidden
      data-tip
      className="pointer-events-none absolute z-10 flex justify-center"
      style={{ left, top: y - 8, width: Math.min(WIDTH_MAX, width), transform: "translateY(-100%)" }}
    >
      <div className="max-w-full rounded-md border border-border bg-popover px-2.5 py-1.5 text-popover-foreground text-xs">
        <p className="truncate font-medium text-[13px]">{title}</p>
        {words !== "" && (
          <p className="truncate">
            <VisibleText text={words} />
          </p>
        )}
        <p className="text-muted-foreground tabular-nums">{facts.join(" · ")}</p>
      </div>
    </div>
  );
}
