import type { LineRule } from "./check-line.ts";

/** Checkers of Python: pytest, unittest and Django, mypy, ruff, flake8, pylint, pyright, black. */
export const pythonLines: readonly LineRule[] = [
  {
    framework: "pytest",
    kind: "test",
    mark: "summary",
    pattern:
      /^(?:=+\s)?(?=\d+ (?:passed|failed|errors?|skipped|xfailed|xpassed)\b)(?:(?<failed>\d+) failed,? ?)?(?:(?<passed>\d+) passed,? ?)?(?:(?<skipped>\d+) skipped,? ?)?(?:\d+ deselected,? ?)?(?:\d+ xfailed,? ?)?(?:\d+ xpassed,? ?)?(?:\d+ warnings?,? ?)?(?:(?<errors>\d+) errors?,? ?)?(?:\d+ rerun,? ?)?in [\d.]+s(?: \([\d:]+\))?\s*=*$/,
  },
  { framework: "pytest", kind: "test", mark: "fail", pattern: /^FAILED \S+(?:::|\.py)/ },
  { framework: "pytest", kind: "test", mark: "error", pattern: /^(?:=+ )?no tests ran in [\d.]+s/ },
  {
    framework: "pytest",
    kind: "test",
    mark: "strong_error",
    pattern: /^ERROR: (?:file or directory not found|not found|usage):?/,
  },
  { framework: "pytest", kind: "test", mark: "strong_error", pattern: /^INTERNALERROR>/ },
  {
    framework: "pytest",
    kind: "test",
    mark: "strong_error",
    pattern: /^pytest: error: |error: unrecognized arguments:/,
  },
  { framework: "pytest", kind: "test", mark: "strong_error", pattern: /^E +ModuleNotFoundError: No module named / },
  {
    framework: "unittest",
    kind: "test",
    mark: "summary",
    verdict: "fail",
    pattern:
      /^FAILED \((?:failures=(?<failed>\d+))?(?:, )?(?:errors=(?<errors>\d+))?(?:, )?(?:skipped=(?<skipped>\d+))?/,
  },
  {
    framework: "unittest",
    kind: "test",
    mark: "summary",
    verdict: "pass",
    after: /^Ran [1-9]\d* tests? in /,
    pattern: /^OK(?: \((?:skipped=(?<skipped>\d+)|[\w= ]+)(?:, [\w= ]+)*\))?$/,
  },
  { framework: "unittest", kind: "test", mark: "error", pattern: /^(?:NO TESTS RAN|Ran 0 tests in )/ },
  { framework: "unittest", kind: "test", mark: "fail", pattern: /^(?:FAIL|ERROR): test\w* \(/ },
  {
    framework: "mypy",
    kind: "typecheck",
    mark: "summary",
    verdict: "pass",
    pattern: /^Success: no issues found in \d+ source files?/,
  },
  { framework: "mypy", kind: "typecheck", mark: "summary", pattern: /^Found (?<failed>\d+) errors? in \d+ files?/ },
  { framework: "mypy", kind: "typecheck", mark: "fail", isPlace: true, pattern: /^[^\s:]+\.pyi?:\d+: error: / },
  {
    framework: "pyright",
    kind: "typecheck",
    mark: "summary",
    pattern: /^(?<failed>\d+) errors?, \d+ warnings?(?:, \d+ \w+)?/,
  },
  { framework: "ruff", kind: "lint", mark: "summary", verdict: "pass", pattern: /^All checks passed!$/ },
  {
    framework: "ruff",
    kind: "lint",
    mark: "summary",
    pattern: /^Found (?<failed>\d+) errors?\.?(?: \(\d+ fixed, \d+ remaining\)\.)?$/,
  },
  { framework: "flake8", kind: "lint", mark: "fail", isPlace: true, pattern: /^[^\s:]+\.py:\d+:\d+: [A-Z]{1,3}\d{3} / },
  {
    framework: "black",
    kind: "lint",
    mark: "summary",
    verdict: "fail",
    pattern: /^(?:Oh no! |\d+ files? would be reformatted)/,
  },
  {
    framework: "black",
    kind: "lint",
    mark: "summary",
    verdict: "pass",
    pattern: /^\d+ files? would be left unchanged\.$/,
  },
];
