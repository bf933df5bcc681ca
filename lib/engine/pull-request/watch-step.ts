import { hash } from "node:crypto";
import { roundsMax } from "#lib/contract/repositories/check-suite.ts";
import { cutText } from "#lib/cut-text.ts";
import { HostError } from "#lib/host/call-host.ts";
import type { Host } from "#lib/host/host.ts";
import { isOutage } from "#lib/host/outage.ts";
import { findOwnPull } from "#lib/host/own-pull.ts";
import type { HostCheck } from "#lib/host/pull-host.ts";
import type { PullRow } from "#lib/store/pulls/pull-rows.ts";
import type { PullChanges } from "#lib/store/pulls/pull-steps.ts";
import type { PullStep } from "#lib/store/pulls/pulls.ts";
import { type CheckSummary, checksMs, isRed, noChecksMs, quietMs, summarizeChecks } from "./check-summary.ts";
import { excerptOf, type FailedCheck } from "./fix-prompt.ts";
import { goneStep, overStep } from "./open-step.ts";
import { openTarget } from "./open-target.ts";
import type { PullParts } from "./parts.ts";
import { findChecks, settledNotes, settledStep } from "./settled-step.ts";
import { notesOf, untilNow, type WatchNotes } from "./watch-notes.ts";
import { atOnce, endingStep, type TakeStep } from "./work.ts";

/** Time between looks at the checks. */
const lookMs = [15_000, 30_000, 60_000];
/** Hosts show a push a moment later. */
const lagMs = 60_000;
/** A look that is later than this shows that nobody looked: the process was paused, or the host could not be reached. */
const lateMs = 10_000;
/**
 * Requests per poll (GitHub: pull request, check runs, statuses), and for all polls in an hour: GitHub allows 5,000, and Errand
 * makes other requests too.
 */
const requestsOfLook = 3;
const requestsAnHour = 4500;
/** Failed checks whose logs are read. */
const logsMax = 10;
/** Failed checks shown with their annotations, and characters of each annotation. */
const toldMax = 20;
const noteMax = 2000;

/** Looks at the checks; DETECT_PR_ERRORS when they are settled, then FIX_PR_ERRORS and a turn, or the end. */
export const watchChecks: TakeStep = async (parts, work, signal) => {
  const { pull, repository } = work;
  const target = await openTarget(parts, pull, repository);
  if (target.kind !== "host" || pull.number === null || pull.headCommit === null) {
    return endingStep(parts, work, { verdict: "no_checks", reason: "The code host is no longer connected." });
  }
  const { host, fullName } = target;
  const nowMs = parts.now().getTime();
  const notes = awaited(untilNow(notesOf(pull), nowMs), nowMs);
  const { pushedMs = nowMs, awaitedMs = pushedMs } = notes;
  const { number, headBranch } = pull;
  const own = await findOwnPull(host, { fullName, number, headBranch }, signal);
  if (own.kind === "gone") return goneStep(parts, work);
  if (own.kind === "unseen") {
    const reason =
      "The checks could not be read: the integration's account can no longer see the pull request on the code host.";
    return endingStep(parts, work, { verdict: "no_checks", reason });
  }
  const { there } = own;
  if (there.state !== "open") return overStep(parts, work, there.state);
  const sincePushMs = nowMs - pushedMs;
  // Some hosts never show the push; after that time this commit's checks count, if it has any.
  if (there.head.commit !== pull.headCommit && sincePushMs > lagMs && sincePushMs < checksMs) {
    const { pushedAgain = 0, looks = 0 } = notes;
    // After 1, 2, 4, … minutes.
    if (sincePushMs > lagMs * 2 ** pushedAgain) {
      return { changes: { stage: "pushing", watch: { ...notes, pushedAgain: pushedAgain + 1 } }, next: atOnce };
    }
    const waitMs = await waitFor(parts, pull, notes, looks + 1, nowMs);
    return again({ watch: { ...notes, looks: looks + 1 } }, nowMs, waitMs);
  }
  const settings = await findChecks(parts, pull);
  const of = { commit: pull.headCommit, number: pull.number };
  const read = await readChecks(host, fullName, of, notes, nowMs, signal);
  const about = { title: there.title, isDraft: there.draft, roundsMax: roundsMax(settings) };
  const looks = (notes.looks ?? 0) + 1;
  if (read === null) {
    const waitMs = await waitFor(parts, pull, notes, looks, nowMs);
    return again({ ...about, watch: { ...notes, looks } }, nowMs, waitMs);
  }
  const seen = seenOf(read.checks);
  const changedMs = seen === notes.seen ? (notes.changedMs ?? nowMs) : nowMs;
  const summary = summarizeChecks({ checks: read.checks, settings, pushedMs, awaitedMs, changedMs, nowMs });
  const checkNames = read.checks.map(({ name }) => name);
  const changes = { ...about, checks: summary.figures };
  if (!summary.isSettled) {
    const watch: WatchNotes = { ...notes, looks, seen, changedMs, etag: read.etag };
    const waitMs = await waitFor(parts, pull, watch, looks, nowMs, summary);
    return { ...again({ ...changes, watch }, nowMs, waitMs), checkNames };
  }
  const failed = await readLogs(parts, host, fullName, summary.failing, signal);
  const isRedBefore = summary.failing.length > 0 && notes.base != null;
  const redOnBase = isRedBefore ? await readBase(host, fullName, { ...of, commit: notes.base ?? "" }, signal) : [];
  const found = { summary, failed, settings, redOnBase: new Set(redOnBase) };
  const settled = { ...found, source: "host", commit: pull.headCommit, isPushed: true } as const;
  return settledStep(parts, work, settled, { changes: { ...changes, watch: settledNotes(pull) }, checkNames });
};

/** The notes without the time in which nobody looked: a check may not have been seen, and the next look may see it. */
function awaited(notes: WatchNotes, nowMs: number): WatchNotes {
  const { pushedMs = nowMs, awaitedMs = pushedMs, dueMs = nowMs } = notes;
  return nowMs - dueMs > lateMs ? { ...notes, awaitedMs: Math.min(nowMs, awaitedMs + nowMs - dueMs) } : notes;
}

function again(changes: PullChanges & { watch: WatchNotes }, nowMs: number, waitMs: number): PullStep {
  const watch = { ...changes.watch, lookedMs: nowMs, dueMs: nowMs + waitMs };
  return { changes: { ...changes, watch }, next: { kind: "again", waitMs } };
}

/** The checks; null if they are unchanged and cannot be settled yet. */
async function readChecks(
  host: Host,
  fullName: string,
  of: { commit: string; number: number },
  { etag = null, changedMs, pushedMs = 0, awaitedMs = pushedMs }: WatchNotes,
  nowMs: number,
  signal: AbortSignal,
): Promise<{ checks: readonly HostCheck[]; etag: string | null } | null> {
  // Checks that may be settled by now are read in full.
  const mayBeOver = nowMs - (changedMs ?? nowMs) >= quietMs || nowMs - awaitedMs >= noChecksMs;
  const read = await host.pulls.checks(fullName, of, mayBeOver ? null : etag, signal);
  return read.checks === null ? null : { checks: read.checks, etag: read.etag };
}

/** Names of checks that fail on the commit that the work started from. */
async function readBase(
  host: Host,
  fullName: string,
  of: { commit: string; number: number },
  signal: AbortSignal,
): Promise<string[]> {
  try {
    const { checks } = await host.pulls.checks(fullName, of, null, signal);
    return (checks ?? []).filter(isRed).map(({ name }) => name);
  } catch (error) {
    signal.throwIfAborted();
    // The host no longer has the commit.
    if (error instanceof HostError && !isOutage(error)) return [];
    throw error;
  }
}

async function readLogs(
  parts: PullParts,
  host: Host,
  fullName: string,
  failing: readonly HostCheck[],
  signal: AbortSignal,
): Promise<FailedCheck[]> {
  const failed: FailedCheck[] = [];
  for (const [at, check] of failing.entries()) {
    let log: string | null = null;
    try {
      log = at < logsMax ? await host.pulls.checkLog(fullName, check, signal) : null;
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof HostError) || isOutage(error)) throw error;
    }
    const notes = at < toldMax ? check.annotations : [];
    const short = (message: string) => cutText(parts.mask(message), noteMax);
    const annotations = notes.map((note) => ({ ...note, message: short(note.message) }));
    failed.push({ check: { ...check, annotations }, excerpt: log === null ? "" : parts.mask(excerptOf(log)) });
  }
  return failed;
}

/** Fingerprint of the checks: it changes when a check is added, starts or ends. */
function seenOf(checks: readonly HostCheck[]): string {
  const all = checks.map(({ id, name, status, conclusion }) => [id, name, status, conclusion]);
  return hash("sha256", JSON.stringify(all.sort()), "hex").slice(0, 32);
}

/** When to look again: soon if the checks may be settled, and seldom if many pull requests of a host are watched. */
async function waitFor(
  { store }: PullParts,
  pull: PullRow,
  { changedMs, pushedMs, awaitedMs = pushedMs }: WatchNotes,
  looks: number,
  nowMs: number,
  summary?: CheckSummary,
): Promise<number> {
  const watched = pull.integrationId === null ? 1 : await store.pulls.countWatched(pull.integrationId);
  const looksAnHour = requestsAnHour / (watched * requestsOfLook);
  // Rounded down to whole looks an hour: many pull requests may have begun at the same moment, and each would make the extra
  // look.
  const leastMs = 3_600_000 / (looksAnHour < 1 ? looksAnHour : Math.floor(looksAnHour));
  const usualMs = lookMs[Math.min(looks, lookMs.length) - 1] ?? 60_000;
  const hasEnded = summary !== undefined && summary.figures.pending === 0;
  const overMs =
    summary?.counted.length === 0
      ? (awaitedMs ?? nowMs) + noChecksMs - nowMs
      : hasEnded
        ? (changedMs ?? nowMs) + quietMs - nowMs
        : usualMs;
  return Math.ceil(Math.max(leastMs, Math.min(usualMs, Math.max(1000, overMs))));
}
