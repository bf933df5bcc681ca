import { TriangleAlert } from "lucide-react";
import { formatCountOf } from "#components/shell/format-number.ts";
import { cn } from "#components/ui/class-names.ts";
import { LeftOutLink, type LeftOutRun, leftOutWords } from "./left-out.tsx";

/** A sign that a run's branch does not have all of its work. */
export function LeftOutSign({ run, className }: { run: LeftOutRun; className?: string }) {
  const words = leftOutWords(run);
  if (words === null) return null;
  return (
    <span title={words} className={cn("inline-flex shrink-0", className)}>
      <TriangleAlert aria-hidden className="size-3.5 text-status-waiting" />
      <span className="sr-only">{words}</span>
    </span>
  );
}

/** In a form that sends the branch elsewhere: what will not be sent. The form stays as it is while somebody looks. */
export function LeftOutWarning({ run }: { run: LeftOutRun }) {
  const count = run.work_left_out;
  if (count === 0) return null;
  return (
    <p className="flex gap-1.5 text-[13px] text-status-waiting">
      <TriangleAlert aria-hidden className="mt-0.5 size-3.5 shrink-0" />
      <span>
        {formatCountOf(count, "item")} in the checkout {count === 1 ? "is" : "are"} not in the branch, so not sent.{" "}
        <LeftOutLink run={run} target="_blank">
          See which
        </LeftOutLink>
      </span>
    </p>
  );
}
