import assert from "node:assert/strict";
import { test } from "node:test";
import { checkSuiteDefaults } from "#lib/contract/repositories/check-suite.ts";
import type { HostCheck } from "#lib/host/pull-host.ts";
import { evaluateChecks, type Seen, summarizeChecks } from "./check-summary.ts";

const check = (name: string, conclusion: HostCheck["conclusion"], app = "ci"): HostCheck => ({
  ...{ id: name, name, app, conclusion, url: null, startedAt: null, completedAt: null, annotations: [] },
  status: conclusion === null ? "running" : "completed",
});
const minute = 60_000;

/** The summary that many seconds after the push; the checks last changed after `changed` seconds. */
function summary(checks: HostCheck[], seconds: number, { changed = 0, settings = {} } = {}) {
  const known: Seen = {
    ...{ checks, settings: { ...checkSuiteDefaults, ...settings }, pushedMs: 0, awaitedMs: 0 },
    ...{ changedMs: changed * 1000, nowMs: seconds * 1000 },
  };
  return summarizeChecks(known);
}

test("checks are settled when all have ended and none was new for 30 s, when one takes an hour, or when an important one fails", () => {
  const [red, green, open] = [check("lint", "failure"), check("test", "success"), check("build", null)];
  const cases: [ReturnType<typeof summary>, boolean][] = [
    [summary([], 119), false],
    [summary([], 120), true],
    [summary([green], 29), false],
    [summary([green], 30), true],
    [summary([green, red], 40, { changed: 15 }), false],
    [summary([green, open], 3599), false],
    [summary([green, open], 3600), true],
    [summary([red, open], 40), false],
    [summary([red, open], 1, { settings: { high_priority_apps: ["ci"] } }), true],
    [summary([green, open], 1, { settings: { high_priority_apps: ["ci"] } }), false],
    [summary([green, open], 30, { settings: { ignored_checks: ["build"] } }), true],
    [summary([open], 120, { settings: { ignored_checks: ["build"] } }), true],
  ];
  for (const [at, [{ isSettled }, wanted]] of cases.entries()) assert.equal(isSettled, wanted, `case ${at}`);
  const { figures, ignored } = summary([red, green, open], 1, { settings: { ignored_checks: ["lint"] } });
  assert.deepEqual([figures, ignored], [{ passed: 1, failed: 0, pending: 1, failing: [] }, ["lint"]]);
});

test("settled checks are retried by name as often as the settings allow, never in vain, never forever", () => {
  const red = (...names: string[]) =>
    summary([...names.map((name) => check(name, "failure")), check("ok", "success")], 99);
  const usual = {
    ...{ settings: checkSuiteDefaults, rounds: 0, attempts: {}, before: {}, signatures: {} },
    ...{ redOnBase: new Set<string>(), isBanned: false },
  };
  const verdict = (...args: Parameters<typeof evaluateChecks>) => {
    const evaluated = evaluateChecks(...args);
    return evaluated.kind === "ends" ? evaluated.verdict : evaluated.checks.map(({ name }) => name);
  };
  assert.equal(verdict(summary([], 120), usual), "no_checks");
  assert.equal(verdict(red(), usual), "green");
  assert.equal(verdict(summary([check("slow", null)], 60 * minute), usual), "red");
  assert.deepEqual(verdict(red("a", "b"), usual), ["a", "b"]);
  assert.deepEqual(verdict(red("a", "b"), { ...usual, redOnBase: new Set(["a"]) }), ["b"]);
  assert.equal(verdict(red("a"), { ...usual, redOnBase: new Set(["a"]) }), "red");
  assert.equal(verdict(summary([check("a", "action_required")], 99), usual), "red");
  assert.equal(verdict(red("a"), { ...usual, isBanned: true }), "banned");
  const last = { rounds: 3, attempts: { a: 3 }, before: { a: "1" }, signatures: { a: "2" } };
  assert.equal(verdict(red("a"), { ...usual, ...last }), "gave_up");
  const another = { ...usual, ...last, signatures: { a: "2", b: "1" } };
  assert.equal(verdict(red("a", "b"), another), "gave_up", "another check makes no more rounds");
  const later = { ...another, rounds: 2, attempts: { a: 2 } };
  assert.deepEqual(
    verdict(red("a", "b"), { ...later, settings: { ...checkSuiteDefaults, check_retry_counts: { b: 0 } } }),
    ["a"],
  );
  assert.equal(
    verdict(red("a"), { ...usual, ...last, rounds: 1, attempts: { a: 1 }, signatures: { a: "1" } }),
    "no_progress",
  );
  const more = { ...checkSuiteDefaults, check_retry_counts: { a: 10 } };
  assert.deepEqual(verdict(red("a"), { ...usual, ...last, settings: more }), ["a"]);
  assert.equal(verdict(red("a"), { ...usual, ...last, settings: more, rounds: 10 }), "gave_up");
  assert.equal(verdict(red("a"), { ...usual, settings: { ...checkSuiteDefaults, check_retry_count: 0 } }), "red");
  assert.deepEqual(verdict(red("constructor"), usual), ["constructor"], "a name that every object has");
});
