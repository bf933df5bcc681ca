import { Alert, AlertDescription } from "#components/ui/alert.tsx";
import type { Run } from "#lib/contract/runs/run.ts";

/** Says when the base branch no longer contains what the changes are compared with, or already has them. */
export function BaseNotes({ changes }: Pick<Run, "changes">) {
  const isRecorded = changes?.compared_with === "recorded";
  if (!isRecorded && changes?.in_base_branch !== true) return null;
  const words = isRecorded
    ? "The base branch does not contain the commit that these changes are compared with: it was rewritten or deleted, or the run rewrote its own branch. They are compared with the commit that the run began from or last merged."
    : "The base branch already has these changes in other commits, as after a squash merge. Merging the branch would change nothing.";
  return (
    <Alert variant="info">
      <AlertDescription>{words}</AlertDescription>
    </Alert>
  );
}
