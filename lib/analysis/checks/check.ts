import type { TestKind } from "#lib/contract/logs/analysis.ts";

/** A run of tests, a type check, a linter, a build or the agent's own script, as started by a command. */
export type Check = {
  kind: TestKind;
  /** The known tool that does it; null if a script of the project decides. */
  framework: string | null;
  /** The command without pipe filters. */
  command: string;
  /** The deciding program and script, without targets: checks of the same suite can be compared. */
  suite: string;
  /** Files, folders and patterns it is limited to; empty for all. */
  targets: string[];
  /** Programs that filter its output. */
  filters: string[][];
  /** See {@link ExitScope}. */
  exit: ExitScope;
  folder: string | null;
};

/**
 * Meaning of the whole call's exit code for a check. own: it is the check's. all: 0 means that it passed, another code may be
 * another command's. echoed: it is printed after it. hidden: nothing.
 */
export type ExitScope = "own" | "all" | "echoed" | "hidden";

/** A check identified by its program and arguments. */
export type FoundCheck = Pick<Check, "kind" | "framework" | "suite" | "targets">;
