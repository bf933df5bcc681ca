import { findOwnPull } from "#lib/host/own-pull.ts";
import { openTarget } from "./open-target.ts";
import type { TakeStep } from "./work.ts";

/** Looks whether a pull request that nobody works on was closed, merged or reopened. */
export const refreshIdle: TakeStep = async (parts, { pull, repository }, signal) => {
  const target = await openTarget(parts, pull, repository);
  const next = { kind: "end" } as const;
  if (target.kind !== "host" || pull.number === null) return { changes: {}, next };
  const { number, headBranch } = pull;
  const own = await findOwnPull(target.host, { fullName: target.fullName, number, headBranch }, signal);
  if (own.kind !== "own") return { changes: {}, next };
  const { state, title, draft: isDraft } = own.there;
  const closedAt = state === "open" ? null : (pull.closedAt ?? parts.now().toISOString());
  return { changes: { state, title, isDraft, closedAt }, next };
};
