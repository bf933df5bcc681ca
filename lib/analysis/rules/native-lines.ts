import type { LineRule } from "./check-line.ts";

/** Checkers of Go, Rust, C and C++, Swift. */
export const nativeLines: readonly LineRule[] = [
  { framework: "go", kind: "test", mark: "fail", pattern: /^\s*--- FAIL: \S+/ },
  { framework: "go", kind: "test", mark: "strong_error", pattern: /^FAIL\s+\S+ \[setup failed\]/ },
  { framework: "go", kind: "test", mark: "fail", pattern: /^FAIL\s+\S+ (?:\[build failed\]|[\d.]+s|\(cached\))/ },
  { framework: "go", kind: "test", mark: "fail", pattern: /^FAIL$/ },
  { framework: "go", kind: "test", mark: "fail", pattern: /^panic: / },
  { framework: "go", kind: "test", mark: "pass", pattern: /^ok\s+\S+\s+(?:[\d.]+s|\(cached\))/ },
  { framework: "go", kind: "test", mark: "pass", pattern: /^PASS$/ },
  { framework: "go", kind: "build", mark: "fail", isPlace: true, pattern: /^[\w./\\-]+\.go:\d+:\d+: / },
  { framework: "go", kind: "build", mark: "fail", pattern: /^vet: [\w./\\-]+\.go:\d+:\d+: / },
  {
    framework: "go",
    kind: null,
    mark: "strong_error",
    pattern:
      /does not match go tool version|^go: (?:cannot find main module|go\.mod file not found|errors parsing go\.mod|updates to go\.mod needed|download)/,
  },
  {
    framework: "go",
    kind: null,
    mark: "strong_error",
    pattern: /^pattern \S+: (?:directory prefix \S+ does not contain|no matching|main module)/,
  },
  {
    framework: "go",
    kind: null,
    mark: "error",
    pattern: /no required module provides package|cannot find package|is not in (?:GOROOT|std)/,
  },
  { framework: "go", kind: null, mark: "error", pattern: /^stat \S+: directory not found$/ },
  { framework: "golangci-lint", kind: "lint", mark: "summary", pattern: /^(?<failed>\d+) issues[.:]?$/ },
  {
    framework: "golangci-lint",
    kind: "lint",
    mark: "fail",
    isPlace: true,
    pattern: /^[^\s:]+\.go:\d+(?::\d+)?: .*\(\w+\)$/,
  },
  {
    framework: "cargo",
    kind: "test",
    mark: "summary",
    pattern: /^test result: (?:ok|FAILED)\. (?<passed>\d+) passed; (?<failed>\d+) failed; (?<skipped>\d+) ignored/,
  },
  {
    framework: "cargo",
    kind: "test",
    mark: "summary",
    pattern:
      /^Summary \[.*\] +\d+ tests? run: (?<passed>\d+) passed(?: \(.*?\))?(?:, (?<failed>\d+) failed)?(?:, (?<skipped>\d+) skipped)?/,
  },
  {
    framework: "cargo",
    kind: "build",
    mark: "fail",
    pattern:
      /^error(?:\[E\d+\]: |: (?:could not compile|aborting due to|test failed|expected|mismatched|unused|cannot find|unresolved|this file contains|linking with))/,
  },
  {
    framework: "cargo",
    kind: null,
    mark: "strong_error",
    pattern:
      /^error: (?:no such (?:sub)?command|could not find `Cargo\.toml`|failed to (?:get|download)|toolchain '.*' is not installed)/,
  },
  { framework: "cargo", kind: "build", mark: "pass", pattern: /^Finished (?:`|\w).*target\(s\)/ },
  {
    framework: "ctest",
    kind: "test",
    mark: "summary",
    pattern: /^\d+% tests passed, (?<failed>\d+) tests? failed out of (?<total>\d+)/,
  },
  { framework: "ctest", kind: "test", mark: "error", pattern: /^No tests were found!!!/ },
  {
    framework: "gcc",
    kind: "build",
    mark: "fail",
    isPlace: true,
    pattern: /^[^\s:]+\.(?:c|cc|cpp|cxx|h|hpp|m|mm|swift):\d+:\d+: (?:fatal )?error: /,
  },
  { framework: "gcc", kind: "build", mark: "fail", pattern: /^(?:collect2: error: |ld: )/ },
  { framework: "gcc", kind: "build", mark: "fail", pattern: /undefined reference to / },
  { framework: "cmake", kind: "build", mark: "fail", pattern: /^(?:CMake Error|ninja: build stopped)/ },
  {
    framework: "swift",
    kind: "test",
    mark: "summary",
    pattern: /^Executed (?<total>\d+) tests?, with (?:\d+ tests? skipped and )?(?<failed>\d+) failures?/,
  },
];
