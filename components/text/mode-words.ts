import type { PatchFile } from "#lib/entry/patch.ts";

const kinds: Record<string, string> = { "100755": "executable", "120000": "symbolic link", "160000": "submodule" };

/** What git's modes tell a reader: a change, or the kind of a new or deleted file; null for an ordinary file. */
export function describeMode({ oldMode, newMode }: PatchFile): string | null {
  const mode = newMode ?? oldMode;
  if (mode === null) return null;
  if (oldMode === null || newMode === null) return kinds[mode] ?? null;
  if (oldMode === newMode) return null;
  const change = `${oldMode} → ${newMode}`;
  if (change === "100644 → 100755") return "now executable";
  if (change === "100755 → 100644") return "no longer executable";
  return `mode ${change}`;
}
