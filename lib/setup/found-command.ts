import type { Confidence, Evidence, SetupKind } from "#lib/contract/repositories/setup-command.ts";

/**
 * Where a command was found, strongest first. A command of a weaker source is only needed if those of the stronger sources do
 * not work.
 */
export const sources = ["errand file", "agent file", "CI", "manifest", "task runner", "file names"] as const;
export type SignSource = (typeof sources)[number];

/** A command suggested by a repository's files. Its text is untrusted: it may come directly from the repository. */
export type FoundCommand = {
  kind: SetupKind;
  /** For a shell at the top of the checkout. */
  command: string;
  source: SignSource;
  confidence: Confidence;
  /** At least one, the strongest first. */
  evidence: Evidence[];
  /** A sentence that names the sign. */
  reason: string;
  /** The project's folder relative to the top, "" for the top itself. */
  folder: string;
  /** The program that must be installed; null if unknown. Relative to the project's folder if it contains a slash. */
  tool: string | null;
};

/** Commands by kind and source, strongest first; the same command found twice is one with both pieces of evidence. */
export function inOrder(found: FoundCommand[], evidenceMax = 5): FoundCommand[] {
  const ranked = found.toSorted((one, other) => sources.indexOf(one.source) - sources.indexOf(other.source));
  const byText = new Map<string, FoundCommand>();
  for (const command of ranked) {
    const key = `${command.kind} ${command.command}`;
    const known = byText.get(key);
    if (known === undefined) byText.set(key, { ...command, evidence: command.evidence.slice(0, evidenceMax) });
    else known.evidence = withoutRepeats([...known.evidence, ...command.evidence]).slice(0, evidenceMax);
  }
  return [...byText.values()];
}

function withoutRepeats(evidence: Evidence[]): Evidence[] {
  return evidence.filter(
    ({ path, line }, at) => evidence.findIndex((other) => other.path === path && other.line === line) === at,
  );
}
