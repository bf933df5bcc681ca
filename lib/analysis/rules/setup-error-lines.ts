import type { LineRule } from "./check-line.ts";

/** Messages of package managers, task runners and shells about a check that could not even start. */
export const setupErrorLines: readonly LineRule[] = [
  {
    framework: null,
    kind: null,
    mark: "strong_error",
    pattern:
      /Missing script: |Script not found "|ERR_PNPM_NO_SCRIPT|Couldn't find a script named|No such task|no task .* found|^error: Could not find task|No rule to make target/,
  },
  {
    framework: null,
    kind: null,
    mark: "strong_error",
    pattern:
      /^(?:error: unrecognized (?:sub)?command|error: unknown (?:command|option)|Unknown (?:command|option|argument)s?:|error: unexpected argument|\S+: error: unrecognized arguments)/i,
  },
  {
    framework: null,
    kind: null,
    mark: "strong_error",
    pattern:
      /^npm (?:ERR!|error) (?:code )?(?:ENOENT|E404|EACCES|ERESOLVE|ENOTFOUND|ETIMEDOUT|EAI_AGAIN|could not determine executable)/,
  },
  {
    framework: null,
    kind: null,
    mark: "strong_error",
    // The look-behind runs only where "cd" was found.
    pattern: /: can't cd to |(?<=^(?:\S+: )*(?:line \d+: )?)cd: .*No such file or directory/,
  },
  {
    framework: null,
    kind: "script",
    mark: "strong_error",
    isOnly: true,
    pattern:
      /^(?:ModuleNotFoundError: No module named |Error: Cannot find (?:module|package) '|Error \[ERR_MODULE_NOT_FOUND\])/,
  },
];
