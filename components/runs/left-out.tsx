import Link from "next/link";
import { formatCountOf } from "#components/shell/format-number.ts";
import { cn } from "#components/ui/class-names.ts";
import type { Run } from "#lib/contract/runs/run.ts";

/** What is known of a run whose branch may lack some of its work. */
export type LeftOutRun = Pick<Run, "id" | "work_left_out">;
type LeftOutLinkProps = { run: LeftOutRun; className?: string; target?: "_blank"; children?: string };

/** How much work a run's checkout has that its branch does not have; null: none. */
export function leftOutWords({ work_left_out: count }: Pick<Run, "work_left_out">): string | null {
  return count === 0 ? null : `${formatCountOf(count, "item")} not in the branch`;
}

/** Leads to the entries of a run's log that name the work left out; without children, its words are how much it is. */
export function LeftOutLink({ run, className, target, children }: LeftOutLinkProps) {
  return (
    <Link
      href={`/runs/${run.id}?${new URLSearchParams({ type: "ERROR", text: "work_left_out" })}`}
      prefetch={false}
      className={cn("rounded-sm underline underline-offset-2", className)}
      target={target}
    >
      {children ?? leftOutWords(run)}
    </Link>
  );
}
