import { type Evidence, SetupKind } from "#lib/contract/repositories/setup-command.ts";
import { type FoundCommand, type SignSource, sources } from "#lib/setup/found-command.ts";

/** Result of trying a command. */
export type Trial = {
  found: FoundCommand;
  outcome: "worked" | "failed" | "not_tried";
  exitCode: number | null;
  durationMs: number | null;
  /** Why it failed or was not tried; null if it worked. */
  note: string | null;
  /** The end of a failed command's output, at most 40 lines. */
  tail: string;
};

/** Commands in the order in which they are tried: by kind, within a kind from the strongest source to the weakest. */
export function inTrialOrder(commands: FoundCommand[]): FoundCommand[] {
  const rank = ({ kind, source }: FoundCommand) =>
    SetupKind.options.indexOf(kind) * sources.length + sources.indexOf(source);
  return commands.toSorted((one, other) => rank(one) - rank(other));
}

/**
 * The stronger source that makes a command unnecessary, because all its commands of the same kind worked. Null if there is none.
 * `before` are the trials so far.
 */
export function betterSource({ kind, source }: FoundCommand, before: Trial[]): SignSource | null {
  const ofKind = before.filter(({ found, outcome }) => found.kind === kind && outcome !== "not_tried");
  const stronger = [...new Set(ofKind.map(({ found }) => found.source))].filter((one) => one !== source);
  return (
    stronger.find((one) => ofKind.every(({ found, outcome }) => found.source !== one || outcome === "worked")) ?? null
  );
}

/** A line of the repository as people write it: `package.json:4`. */
export function placeOf({ path, line }: Evidence): string {
  return `${path}:${line}`;
}
