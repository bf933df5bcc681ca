import { findOwnPull } from "#lib/host/own-pull.ts";
import { opened } from "./open-step.ts";
import { openTarget, type Target } from "./open-target.ts";
import type { PullParts } from "./parts.ts";
import type { PullWork, TakeStep } from "./work.ts";

const next = { kind: "end" } as const;

/** Checks whether a pull request that nobody works on was closed, merged or reopened. */
export const refreshIdle: TakeStep = async (parts, work, signal) => {
  const { pull, repository } = work;
  const target = await openTarget(parts, pull, repository);
  if (pull.number === null) return await lookForIt(parts, work, target, signal);
  if (target.kind !== "host") return { changes: {}, next };
  const { number, headBranch } = pull;
  const own = await findOwnPull(target.host, { fullName: target.fullName, number, headBranch }, signal);
  if (own.kind !== "own") return { changes: {}, next };
  const { state, title, draft: isDraft } = own.there;
  const closedAt = state === "open" ? null : (pull.closedAt ?? parts.now().toISOString());
  return { changes: { state, title, isDraft, closedAt }, next };
};

/** The run was cancelled while its pull request was being opened: the host may have opened it, although its answer was lost. */
async function lookForIt(parts: PullParts, work: PullWork, target: Target, signal: AbortSignal) {
  const none = { changes: { state: "failed" }, next } as const;
  if (target.kind !== "host") return none;
  const { host, integration, fullName } = target;
  const made = await host.pulls.findPull(fullName, work.pull.headBranch, signal);
  if (made?.state !== "open") return none;
  const step = await opened(parts, work, { integration, fullName, made, reused: true });
  return { ...step, changes: { ...step.changes, stage: null }, next };
}
