import type { LineRule } from "./check-line.ts";

/** Programs around checkers: package managers, task runners, shells; and messages of projects' own runners. */
export const wrapperLines: readonly LineRule[] = [
  {
    framework: null,
    kind: "test",
    mark: "summary",
    verdict: "pass",
    pattern: /^\W*All (?:(?<passed>\d+) )?(?:\w+ )?tests? (?:have )?passed\b(?:!|\.| \((?<total>\d+)\)|$)/i,
  },
  {
    framework: null,
    kind: "test",
    mark: "summary",
    pattern:
      /^\W*(?:Tests?|Results?|Summary|Total)?:? *(?<passed>\d+) (?:tests? )?passed[,;|/ ]+(?<failed>\d+) (?:tests? )?failed\b/i,
  },
  {
    framework: null,
    kind: "test",
    mark: "summary",
    pattern:
      /^\W*(?:Tests?|Results?|Summary|Total)?:? *(?<failed>\d+) (?:tests? )?failed[,;|/ ]+(?<passed>\d+) (?:tests? )?passed\b/i,
  },
  { framework: null, kind: "test", mark: "fail", pattern: /^\W*[1-9]\d* tests? failed\b/i },
  {
    framework: null,
    kind: null,
    mark: "wrapper",
    pattern:
      /^npm (?:ERR!|error) (?:Test failed|Lifecycle script `\S+` failed|code (?:ELIFECYCLE|[1-9])|command failed|Exit status [1-9]|errno [1-9])/,
  },
  {
    framework: null,
    kind: null,
    mark: "wrapper",
    pattern:
      /^(?:error Command failed with exit code [1-9]|error: script "\S+" exited with code [1-9]|ELIFECYCLE\s|ERR_PNPM_RECURSIVE_RUN_FIRST_FAIL)/,
  },
  {
    framework: null,
    kind: null,
    mark: "wrapper",
    pattern:
      /^(?:g?make(?:\[\d+\])?: \*\*\* |error: Recipe `\S+` failed|rake aborted!|task: Failed to run task|\[\S+\] ERROR task failed|mise ERROR task failed)/,
  },
  {
    framework: null,
    kind: null,
    mark: "wrapper",
    pattern:
      /^(?:Exit status [1-9]|Command exited with code [1-9]|Process exited with code [1-9]|ERROR:? +run failed: )/,
  },
  { framework: null, kind: null, mark: "wrapper", pattern: /^Failed: +\S+#(?:test|lint|build|typecheck)/ },
  { framework: null, kind: "script", mark: "fail", isOnly: true, pattern: /^Traceback \(most recent call last\):/ },
  {
    framework: null,
    kind: "script",
    mark: "summary",
    verdict: "pass",
    isOnly: true,
    pattern: /\b(?:completed|finished|ran) successfully\b(?!.*\b(?:not|fail))/i,
  },
  // Node prints its version after an uncaught error.
  { framework: null, kind: null, mark: "wrapper", pattern: /^Node\.js v\d+\.\d+\.\d+$/ },
  { framework: null, kind: "test", mark: "fail", pattern: /^[✗✘❌×]\s*(?:FAIL(?:ED)?\b|Failed\b)/ },
];
