import { HostError } from "#lib/host/call-host.ts";
import { findGitAuthorization, isUnauthorized, pushAuthorized } from "#lib/host/git-authorization.ts";
import { findOwnPull } from "#lib/host/own-pull.ts";
import { pushRefusal } from "#lib/host/push-refusal.ts";
import { shownSource } from "#lib/shown-source.ts";
import { isDiverged } from "#lib/workspace/push-branch.ts";
import { WorkspaceError } from "#lib/workspace/workspace-error.ts";
import { count } from "./check-summary.ts";
import { noteChanges } from "./note-changes.ts";
import { overStep } from "./open-step.ts";
import { openTarget } from "./open-target.ts";
import { isTestedHere, whileTested } from "./test-step.ts";
import { notesOf } from "./watch-notes.ts";
import { atOnce, endingStep, failingStep, type TakeStep } from "./work.ts";

/** Pushes the run's branch. A branch that somebody else moved stays as it is, and the work ends. */
export const pushWork: TakeStep = async (parts, work, signal) => {
  const { pull, repository } = work;
  const { organizationId, repositoryId: repoId, runId } = pull;
  const target = await openTarget(parts, pull, repository);
  if (target.kind === "unusable") return failingStep(parts, work, target);
  if (target.kind === "host" && pull.number !== null) {
    const { number, headBranch } = pull;
    const own = await findOwnPull(target.host, { fullName: target.fullName, number, headBranch }, signal);
    // The person who merged it may have deleted its branch, which a push would recreate.
    if (own.kind === "own" && own.there.state !== "open") return overStep(parts, work, own.there.state);
  }
  const { source } = repository;
  const integrations = await parts.store.integrations.list({ organizationId, userId: null });
  const find = (refused?: string) => findGitAuthorization(integrations, source, parts, signal, refused);
  // Commits that others pushed on top of the run's work belong to the run from now on; none of theirs is ever overwritten.
  const run = { repoId, runId, source, mayFollow: work.isHeld };
  const push = (header: string | null) => parts.push({ ...run, authorization: header }, signal);
  const { outcome: pushed, authorization } = await pushAuthorized(find, push).catch((error: unknown) => {
    throw target.kind === "host" ? asHostError(error, target.host.unauthorizedHint) : error;
  });
  const { commit, reason } = pushed;
  if (pushed.status === "refused") {
    const message = reason ?? "The push was refused.";
    if (isDiverged(pushed)) return endingStep(parts, work, { verdict: "diverged", reason: message });
    return failingStep(parts, work, pushRefusal(message, { authorization, mask: parts.mask }));
  }
  // Commits of others are the run's from now on.
  if (pushed.status === "followed")
    await noteChanges(parts, { ...work, run: { ...work.run, pull }, mayStore: work.isHeld }, signal);
  const nowMs = parts.now().getTime();
  const isNew = commit !== pull.headCommit;
  const { asked, given, base = null, pushedMs = nowMs, awaitedMs, pushedAgain, tested } = notesOf(pull);
  const known = tested?.commit === commit ? tested : null;
  const watch = {
    ...(asked === true ? { asked, given } : {}),
    ...{ base, pushedMs: isNew ? nowMs : pushedMs, dueMs: nowMs },
    ...(isNew || awaitedMs === undefined ? {} : { awaitedMs }),
    ...(isNew || pushedAgain === undefined ? {} : { pushedAgain }),
    ...(known === null ? {} : { tested: known }),
  };
  const changes = { headCommit: commit, watch, ...(isNew && known === null ? { checks: null } : {}) };
  if (target.kind === "host") return { changes: { ...changes, stage: "opening" }, next: atOnce };
  if (known === null && (await isTestedHere(parts, work, "after_push"))) {
    const toTest = { stage: "testing", state: "pushed", watch: { ...watch, toTest: commit } } as const;
    return { changes: { ...changes, ...toTest }, next: whileTested };
  }
  const unopened = `${pull.headBranch} is in ${shownSource(source)}, which has no pull requests.`;
  const passed = known?.checks.length ?? 0;
  const ended =
    passed === 0
      ? ({ verdict: "no_checks", reason: unopened } as const)
      : ({
          verdict: "green",
          reason: `${count(passed, "check")} passed here. ${unopened}`,
          checks: known?.checks.map(({ name, conclusion }) => ({ name, conclusion, url: null })),
        } as const);
  return endingStep(parts, work, ended, { changes: { ...changes, state: "pushed" } });
};

/** Turns git's refusal by a reachable host into a HostError: waiting does not help, unlike when the host is down. */
function asHostError(error: unknown, unauthorizedHint: string | undefined): unknown {
  if (!(error instanceof WorkspaceError) || error.code !== "source_unavailable") return error;
  const { message } = error;
  if (isUnauthorized(message)) return new HostError(message, 401, null, null, unauthorizedHint);
  const redirect = /returned error: (30[12378])/.exec(message)?.[1];
  if (redirect !== undefined) return new HostError(message, Number(redirect));
  if (/returned error: 403/.test(message)) return new HostError(message, 403, null, "scope");
  return /repository '.*' not found/i.test(message) ? new HostError(message, 404) : error;
}
