import { Alert, AlertDescription } from "#components/ui/alert.tsx";
import type { Run } from "#lib/contract/runs/run.ts";

/** Says that the run's checkout has work that its branch, and so these changes, do not have. */
export function LeftOutNote({ run }: { run: Pick<Run, "work_left_out"> }) {
  const count = run.work_left_out;
  if (count === 0) return null;
  const words =
    count === 1
      ? "1 item in the checkout is not in this branch. The run's log names it at the end of the last turn."
      : `${count} items in the checkout are not in this branch. The run's log names them at the end of the last turn.`;
  return (
    <Alert variant="warning">
      <AlertDescription>{words}</AlertDescription>
    </Alert>
  );
}
