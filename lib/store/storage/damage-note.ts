import { existsSync, rmSync, writeFileSync } from "node:fs";

/** A note beside a store that damage was found in it: one process finds it, and others and the next start must know. */
const noteFile = (file: string) => `${file}.damage`;

/** Notes the finding as one line. Never throws: the damage is reported anyway. */
export function noteDamage(file: string, found: string): void {
  try {
    writeFileSync(noteFile(file), `${new Date().toISOString()} ${found}\n`, { mode: 0o600 });
  } catch {
    // The disk cannot be written either.
  }
}

/** Whether damage was found since the store was last checked as a whole. */
export function isDamageNoted(file: string): boolean {
  return existsSync(noteFile(file));
}

/** The store was checked as a whole and is sound. */
export function clearDamage(file: string): void {
  rmSync(noteFile(file), { force: true });
}

/** The first finding of SQLite's check as one short line. */
export function firstFinding(lines: readonly string[]): string | null {
  const [first] = lines;
  return (
    first
      ?.replace(/^\*\*\* in database main \*\*\*\n/, "")
      .replace(/\s+/g, " ")
      .slice(0, 200) ?? null
  );
}
