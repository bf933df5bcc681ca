import { openTarget } from "./open-target.ts";
import type { TakeStep } from "./work.ts";

/** A look at a pull request that is not worked on: whether it was closed or merged. */
export const lookAtRest: TakeStep = async (parts, { pull, repository }, signal) => {
  const target = await openTarget(parts, pull, repository);
  const next = { kind: "end" } as const;
  if (target.kind !== "host" || pull.number === null) return { changes: {}, next };
  const there = await target.host.pulls.getPull(target.fullName, pull.number, signal);
  if (there === null) return { changes: {}, next };
  const { state, title, draft: isDraft } = there;
  const closedAt = state === "open" ? null : (pull.closedAt ?? parts.now().toISOString());
  return { changes: { state, title, isDraft, closedAt }, next };
};
