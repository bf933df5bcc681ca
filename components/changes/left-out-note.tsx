import { LeftOutLink } from "#components/runs/left-out.tsx";
import { formatCountOf } from "#components/shell/format-number.ts";
import { Alert, AlertDescription } from "#components/ui/alert.tsx";
import type { Run } from "#lib/contract/runs/run.ts";

/** Says that the run's checkout has work that its branch, and so these changes, do not have. */
export function LeftOutNote({ run }: { run: Pick<Run, "id" | "work_left_out"> }) {
  const count = run.work_left_out;
  if (count === 0) return null;
  const [are, differ] = count === 1 ? ["is", "differs"] : ["are", "differ"];
  return (
    <Alert variant="warning">
      <AlertDescription>
        {formatCountOf(count, "item")} in the checkout {are} not in this branch, or {differ} there.{" "}
        <LeftOutLink run={run}>See which, and what to do</LeftOutLink>
      </AlertDescription>
    </Alert>
  );
}
