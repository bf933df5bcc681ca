import type { LineRule } from "./check-line.ts";

/** Type checkers, linters and builders of JavaScript: tsc and tsgo, eslint, biome, prettier, vite, webpack. */
export const lintAndTypeLines: readonly LineRule[] = [
  { framework: "tsc", kind: "typecheck", mark: "fail", pattern: /(?:^|\): |\d - |: )error TS\d+: / },
  {
    framework: "tsc",
    kind: "typecheck",
    mark: "summary",
    pattern: /^Found (?<failed>\d+) errors?(?: in (?:\d+ files|the same file|\S+:\d+).*)?\.?$/,
  },
  {
    framework: "eslint",
    kind: "lint",
    mark: "summary",
    pattern: /^✖ \d+ problems? \((?<failed>\d+) errors?, \d+ warnings?\)/,
  },
  {
    framework: "biome",
    kind: "lint",
    mark: "summary",
    isPart: true,
    verdict: "pass",
    pattern: /^Checked \d+ files? in [\d.]+\s?\w+\. (?:No fixes applied|Fixed \d+ files?)\.?$/,
  },
  {
    framework: "biome",
    kind: "lint",
    mark: "fail",
    pattern:
      /^(?:Found \d+ errors?\.$|× Some errors were emitted while|× (?:The file contains diagnostics|Some files were not))/,
  },
  {
    framework: "prettier",
    kind: "lint",
    mark: "summary",
    verdict: "pass",
    pattern: /^All matched files use Prettier code style!/,
  },
  {
    framework: "prettier",
    kind: "lint",
    mark: "summary",
    verdict: "fail",
    pattern: /Code style issues (?:found|were found) in /,
  },
  { framework: "oxlint", kind: "lint", mark: "summary", pattern: /^Found \d+ warnings? and (?<failed>\d+) errors?\.$/ },
  {
    framework: "svelte-check",
    kind: "typecheck",
    mark: "summary",
    pattern: /^svelte-check found (?<failed>\d+) errors?/,
  },
  {
    framework: "next",
    kind: "build",
    mark: "fail",
    pattern: /^(?:> )?(?:Failed to compile\.|Build failed because of|Build error occurred)/,
  },
  { framework: "next", kind: "build", mark: "pass", pattern: /^✓ Compiled successfully/ },
  {
    framework: "webpack",
    kind: "build",
    mark: "summary",
    pattern: /^webpack [\d.]+ compiled with (?<failed>\d+) errors?/,
  },
  {
    framework: "webpack",
    kind: "build",
    mark: "summary",
    verdict: "pass",
    pattern: /^webpack [\d.]+ compiled (?:successfully|with \d+ warnings?) in/,
  },
  { framework: "vite", kind: "build", mark: "summary", verdict: "pass", pattern: /^✓ built in [\d.]+/ },
  { framework: "vite", kind: "build", mark: "fail", pattern: /^(?:✗|x) Build failed in |^error during build:/ },
  { framework: "esbuild", kind: "build", mark: "fail", pattern: /^[✘X] \[ERROR\]/ },
];
