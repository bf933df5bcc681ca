import type { Check } from "./check.ts";
import type { OutputPart } from "./check-lines.ts";
import { linesOf } from "./output-lines.ts";

/** Result of the call according to its exit code; null if the code is unknown. */
export type SeenExit = { code: number | null; isOk: boolean | null };

/** The exit code that is the check's own, or null. */
export function exitOf(check: Pick<Check, "exit">, parts: readonly OutputPart[], exit: SeenExit): number | null {
  if (check.exit === "echoed") {
    for (const { output } of parts.toReversed()) {
      const echoed = linesOf(output).findLast(({ text }) =>
        /(?:exit|code|status|rc|result|\$\?)\W{0,3}\d{1,3}$|^\d{1,3}$/i.test(text),
      );
      if (echoed !== undefined) return Number(/(\d{1,3})$/.exec(echoed.text)?.[1]);
    }
    return null;
  }
  if (check.exit === "hidden") return null;
  const code = exit.code ?? (exit.isOk === true ? 0 : null);
  return check.exit === "all" && code !== 0 ? null : code;
}

/** Exit codes of a check that was stopped: by `timeout`, by a signal. */
export const stoppedExits = new Set([124, 130, 137, 143]);
