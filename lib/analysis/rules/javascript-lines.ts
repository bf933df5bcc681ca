import type { LineRule } from "./check-line.ts";

/** Test runners of JavaScript: node:test, jest, vitest, mocha, bun, deno, ava, tap, playwright, cypress. */
export const javascriptLines: readonly LineRule[] = [
  { framework: "node:test", kind: "test", mark: "summary", isPart: true, pattern: /^[#ℹ] pass (?<passed>\d+)$/ },
  { framework: "node:test", kind: "test", mark: "summary", pattern: /^[#ℹ] fail (?<failed>\d+)$/ },
  { framework: "node:test", kind: "test", mark: "summary", isPart: true, pattern: /^[#ℹ] skipped (?<skipped>\d+)$/ },
  { framework: "node:test", kind: "test", mark: "fail", pattern: /^✖ failing tests:$/ },
  { framework: "tap", kind: "test", mark: "fail", pattern: /^not ok \d+(?!.*# (?:TODO|SKIP))/i },
  { framework: "tap", kind: "test", mark: "summary", pattern: /^# failed (?<failed>\d+) of (?<total>\d+) tests?/ },
  {
    framework: "jest",
    kind: "test",
    mark: "summary",
    pattern:
      /^Tests: +(?:(?<failed>\d+) failed, )?(?:(?<skipped>\d+) (?:skipped|pending), )?(?:\d+ todo, )?(?:(?<passed>\d+) passed, )?\d+ total$/,
  },
  { framework: "jest", kind: "test", mark: "wrapper", pattern: /^Test Suites: +[1-9]\d* failed/ },
  { framework: "jest", kind: "test", mark: "fail", pattern: /^FAIL +\S+\.(?:[jt]sx?|[cm][jt]s)\b/ },
  { framework: "jest", kind: "test", mark: "strong_error", pattern: /^No tests found, exiting with code 1/ },
  {
    framework: "vitest",
    kind: "test",
    mark: "summary",
    pattern:
      /^Tests +(?:(?<failed>\d+) failed(?: \| )?)?(?:(?<passed>\d+) passed(?: \| )?)?(?:(?<skipped>\d+) skipped(?: \| )?)?(?:\d+ todo)? *\(\d+\)$/,
  },
  { framework: "vitest", kind: "test", mark: "wrapper", pattern: /^Test Files +[1-9]\d* failed/ },
  { framework: "vitest", kind: "test", mark: "wrapper", pattern: /^(?:Unhandled )?Errors +[1-9]\d* errors?$/ },
  { framework: "vitest", kind: "test", mark: "strong_error", pattern: /^No test files found, exiting with code 1/ },
  { framework: "mocha", kind: "test", mark: "summary", isPart: true, pattern: /^(?<passed>\d+) passing(?: \(.+\))?$/ },
  { framework: "mocha", kind: "test", mark: "summary", pattern: /^(?<failed>\d+) failing$/ },
  { framework: "mocha", kind: "test", mark: "summary", isPart: true, pattern: /^(?<skipped>\d+) pending$/ },
  { framework: "bun", kind: "test", mark: "summary", isPart: true, pattern: /^(?<passed>\d+) pass$/ },
  { framework: "bun", kind: "test", mark: "summary", pattern: /^(?<failed>\d+) fail$/ },
  { framework: "bun", kind: "test", mark: "summary", isPart: true, pattern: /^(?<skipped>\d+) skip$/ },
  { framework: "bun", kind: "test", mark: "fail", pattern: /^\(fail\) \S/ },
  {
    framework: "deno",
    kind: "test",
    mark: "summary",
    pattern: /^(?:ok|FAILED) \| (?<passed>\d+) passed(?: \(\d+ steps?\))? \| (?<failed>\d+) failed/,
  },
  { framework: "ava", kind: "test", mark: "summary", pattern: /^(?:✔ )?(?<passed>\d+) tests? passed$/, isPart: true },
  { framework: "ava", kind: "test", mark: "summary", pattern: /^(?:✖ )?(?<failed>\d+) tests? failed$/ },
  {
    framework: "playwright",
    kind: "test",
    mark: "summary",
    isPart: true,
    pattern: /^(?<passed>\d+) passed \([\d.]+(?:ms|s|m|h)\)$/,
  },
  { framework: "playwright", kind: "test", mark: "summary", pattern: /^(?<failed>\d+) failed$/ },
  { framework: "cypress", kind: "test", mark: "summary", verdict: "pass", pattern: /^✔ +All specs passed!/ },
  { framework: "cypress", kind: "test", mark: "summary", verdict: "fail", pattern: /^✖ +\d+ of \d+ failed/ },
];
