import type { LineRule } from "./check-line.ts";

/** Checkers of the JVM, .NET, Ruby, PHP and Elixir. */
export const otherLines: readonly LineRule[] = [
  {
    framework: "gradle",
    kind: "test",
    mark: "summary",
    pattern: /^(?<total>\d+) tests? completed, (?<failed>\d+) failed/,
  },
  { framework: "gradle", kind: null, mark: "summary", verdict: "pass", pattern: /^BUILD SUCCESSFUL in / },
  {
    framework: "gradle",
    kind: null,
    mark: "wrapper",
    pattern: /^(?:BUILD FAILED in |FAILURE: Build failed with an exception)/,
  },
  {
    framework: "gradle",
    kind: null,
    mark: "strong_error",
    pattern:
      /^(?:Could not resolve all|Task '\S+' not found in|ERROR: JAVA_HOME is)|(?:^|\s)Unsupported class file major version/,
  },
  {
    framework: "maven",
    kind: "test",
    mark: "summary",
    pattern:
      /^(?:\[\w+\] )?Tests run: (?<total>\d+), Failures: (?<failed>\d+), Errors: (?<errors>\d+), Skipped: (?<skipped>\d+)/,
  },
  { framework: "maven", kind: null, mark: "summary", verdict: "pass", pattern: /^(?:\[INFO\] )?BUILD SUCCESS$/ },
  { framework: "maven", kind: null, mark: "wrapper", pattern: /^(?:\[\w+\] )?BUILD FAILURE$/ },
  {
    framework: "maven",
    kind: "build",
    mark: "fail",
    pattern: /^(?:(?:\[ERROR\] )?COMPILATION ERROR|\[ERROR\] \S+\.java:\[\d+,\d+\])/,
  },
  {
    framework: "javac",
    kind: "build",
    mark: "fail",
    isPlace: true,
    pattern: /^[^\s:]+\.(?:java|kt|scala):\d+(?::\d+)?: error: /,
  },
  { framework: "javac", kind: "build", mark: "fail", pattern: /^e: \S+\.kt/ },
  {
    framework: "dotnet",
    kind: "test",
    mark: "summary",
    pattern: /^(?:Passed|Failed)! +- Failed: +(?<failed>\d+), Passed: +(?<passed>\d+), Skipped: +(?<skipped>\d+)/,
  },
  { framework: "dotnet", kind: "test", mark: "fail", pattern: /^Test Run Failed\.$/ },
  { framework: "dotnet", kind: "test", mark: "summary", verdict: "pass", pattern: /^Test Run Successful\.$/ },
  { framework: "dotnet", kind: "build", mark: "summary", verdict: "pass", pattern: /^Build succeeded(?:\.| in )/ },
  { framework: "dotnet", kind: "build", mark: "fail", pattern: /: error (?:CS|MSB|FS|BC)\d+: |^Build FAILED\./ },
  {
    framework: "rspec",
    kind: "test",
    mark: "summary",
    pattern:
      /^(?<total>\d+) examples?, (?<failed>\d+) failures?(?:, (?<skipped>\d+) pending)?(?:, (?<errors>\d+) errors? occurred outside of examples)?/,
  },
  {
    framework: "minitest",
    kind: "test",
    mark: "summary",
    pattern:
      /^(?<total>\d+) (?:runs|tests), \d+ assertions, (?<failed>\d+) failures, (?<errors>\d+) errors(?:, (?<skipped>\d+) (?:skips|pendings))?/,
  },
  {
    framework: "rubocop",
    kind: "lint",
    mark: "summary",
    pattern: /^\d+ files? inspected, (?<failed>\d+) offenses? detected/,
  },
  {
    framework: "rubocop",
    kind: "lint",
    mark: "summary",
    verdict: "pass",
    pattern: /^\d+ files? inspected, no offenses detected/,
  },
  {
    framework: "phpunit",
    kind: "test",
    mark: "summary",
    verdict: "pass",
    pattern: /^OK \((?<passed>\d+) tests?, \d+ assertions?\)/,
  },
  {
    framework: "phpunit",
    kind: "test",
    mark: "summary",
    pattern:
      /^Tests: (?<total>\d+), Assertions: \d+(?:, Errors: (?<errors>\d+))?(?:, Failures: (?<failed>\d+))?(?:, .*)?\.$/,
  },
  { framework: "phpunit", kind: "test", mark: "wrapper", pattern: /^(?:FAILURES|ERRORS)!$/ },
  { framework: "phpunit", kind: "test", mark: "error", pattern: /^No tests executed!/ },
  {
    framework: "pest",
    kind: "test",
    mark: "summary",
    pattern:
      /^Tests: +(?:(?<failed>\d+) failed, )?(?:(?<skipped>\d+) skipped, )?(?<passed>\d+) passed \(\d+ assertions?\)/,
  },
  { framework: "phpstan", kind: "typecheck", mark: "summary", pattern: /^\[ERROR\] Found (?<failed>\d+) errors?/ },
  { framework: "phpstan", kind: "typecheck", mark: "summary", verdict: "pass", pattern: /^\[OK\] No errors/ },
  {
    framework: "mix",
    kind: "test",
    mark: "summary",
    pattern:
      /^(?:\d+ (?:doctests?|properties), )*(?<total>\d+) tests?, (?<failed>\d+) failures?(?:, \d+ excluded)?(?:, (?<skipped>\d+) skipped)?$/,
  },
  {
    framework: "sbt",
    kind: "test",
    mark: "summary",
    pattern:
      /^(?:\[\w+\] )?(?:Passed|Failed): Total \d+, Failed (?<failed>\d+), Errors (?<errors>\d+), Passed (?<passed>\d+)/,
  },
  {
    framework: "dart",
    kind: "test",
    mark: "summary",
    verdict: "fail",
    pattern: /^\d\d:\d\d \+\d+ (?:~\d+ )?-\d+: Some tests failed\./,
  },
  {
    framework: "dart",
    kind: "test",
    mark: "summary",
    verdict: "pass",
    pattern: /^\d\d:\d\d \+\d+(?: ~\d+)?: All tests passed!/,
  },
];
