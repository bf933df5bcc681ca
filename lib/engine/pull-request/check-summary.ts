import { type CheckSuiteSettings, roundsMax } from "#lib/contract/repositories/check-suite.ts";
import type { PullVerdict } from "#lib/contract/runs/pull-request.ts";
import type { HostCheck } from "#lib/host/pull-host.ts";
import type { PullChecks } from "#lib/store/pulls/pull-rows.ts";

/** If no check is new for this long, all of them are known. */
export const quietMs = 30_000;
/** If no check has appeared by then, there are none. */
export const noChecksMs = 120_000;
/** Longest wait for the checks of a commit. */
export const checksMs = 3_600_000;

/** What is known of the checks of a commit. */
export type Seen = {
  checks: readonly HostCheck[];
  settings: CheckSuiteSettings;
  /** When the commit was pushed, since when a check could have been seen, and when one was last new; in milliseconds. */
  pushedMs: number;
  awaitedMs: number;
  changedMs: number;
  nowMs: number;
};

/** Figures, and whether the checks are settled: also early, when a check of a high-priority app has failed. */
export type CheckSummary = {
  figures: PullChecks;
  isSettled: boolean;
  /** The checks took too long. */
  isLate: boolean;
  counted: HostCheck[];
  failing: HostCheck[];
  ignored: string[];
};

/** Computes the summary of a commit's checks. Ignored checks count nowhere. */
export function summarizeChecks({ checks, settings, pushedMs, awaitedMs, changedMs, nowMs }: Seen): CheckSummary {
  const ignored = checks.filter(({ name }) => settings.ignored_checks.includes(name));
  const counted = checks.filter((check) => !ignored.includes(check));
  const failing = counted.filter(isRed);
  const pending = counted.filter(({ status }) => status !== "completed");
  const isEarly = failing.some(({ app }) => app !== null && settings.high_priority_apps.includes(app));
  const isQuiet = nowMs - changedMs >= quietMs;
  const isLate = pending.length > 0 && nowMs - pushedMs >= checksMs;
  const isSettled =
    counted.length === 0 ? nowMs - awaitedMs >= noChecksMs : isEarly || isLate || (pending.length === 0 && isQuiet);
  return {
    figures: {
      passed: counted.length - failing.length - pending.length,
      failed: failing.length,
      pending: pending.length,
      failing: failing.map(({ name }) => name),
    },
    isSettled,
    isLate,
    counted,
    failing,
    ignored: ignored.map(({ name }) => name),
  };
}

/** Decision about settled checks. */
export type Judgment =
  | { kind: "ends"; verdict: PullVerdict; reason: string }
  | { kind: "fix"; checks: HostCheck[]; attempts: Record<string, number> };

/**
 * Decides on settled checks. `before` and `signatures`: what failed in the last round and what fails now, as signatures by name;
 * `redOnBase`: names of checks that also fail on the commit that the work started from.
 */
export function evaluateChecks(
  summary: CheckSummary,
  known: {
    settings: CheckSuiteSettings;
    rounds: number;
    attempts: Record<string, number>;
    before: Record<string, string>;
    signatures: Record<string, string>;
    redOnBase: ReadonlySet<string>;
    isBanned: boolean;
  },
): Judgment {
  const { counted, failing, figures } = summary;
  if (counted.length === 0) return ends("no_checks", "The code host runs no checks for it.");
  if (failing.length === 0 && figures.pending > 0) {
    return ends("red", `${count(figures.pending, "check")} did not end within an hour.`);
  }
  if (failing.length === 0) return ends("green", `${count(counted.length, "check")} passed.`);
  const names = failing.map(({ name }) => name).join(", ");
  const fixable = failing.filter(
    ({ name, conclusion }) => (conclusion === "failure" || conclusion === "timed_out") && !known.redOnBase.has(name),
  );
  if (fixable.length === 0) {
    return failing.every(({ name }) => known.redOnBase.has(name))
      ? ends("red", `${names} already failed before this change.`)
      : ends("red", `${names}: a code change cannot fix this.`);
  }
  if (known.isBanned) return ends("banned", "Someone banned the run.");
  if (known.rounds > 0 && isSame(known.before, known.signatures)) {
    return ends("no_progress", `The last round left the same failures: ${names}.`);
  }
  const { check_retry_count, check_retry_counts } = known.settings;
  const left = fixable.filter(
    ({ name }) => (own(known.attempts, name) ?? 0) < (own(check_retry_counts, name) ?? check_retry_count),
  );
  // Another check may fail in each round, so the number of rounds is limited too.
  if (left.length === 0 || known.rounds >= roundsMax(known.settings)) {
    return known.rounds === 0
      ? ends("red", `${names} failed, and the check settings allow no fix rounds.`)
      : ends("gave_up", `${names} still failed after ${count(known.rounds, "round")}.`);
  }
  const attempts = { ...known.attempts };
  for (const { name } of left) attempts[name] = (own(attempts, name) ?? 0) + 1;
  return { kind: "fix", checks: left, attempts };
}

/** Whether a check keeps a pull request from being green. */
export function isRed({ status, conclusion }: HostCheck): boolean {
  return status === "completed" && !["success", "neutral", "skipped"].includes(conclusion ?? "");
}

/** An object's own value: a check may be called `constructor`. */
function own<Value>(values: Record<string, Value>, name: string): Value | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}

function isSame(one: Record<string, string>, other: Record<string, string>): boolean {
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => one[name] === other[name]);
}

const ends = (verdict: PullVerdict, reason: string): Judgment => ({ kind: "ends", verdict, reason });
/** A number with its word: `1 check`, `2 checks`. */
export const count = (number: number, what: string) => `${number} ${what}${number === 1 ? "" : "s"}`;
