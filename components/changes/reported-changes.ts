import { type DiffSource, diffOf } from "#components/text/diff-source.ts";
import { entryOutcome, entryView } from "#components/trace/entry/parts/entry-meaning.ts";
import type { LogEntry } from "#lib/contract/logs/entry.ts";
import type { FileChange } from "#lib/entry/file-changes.ts";
import type { Outcome } from "#lib/entry/outcome.ts";

/** One edit of a file by one step. */
export type ReportedEdit = { key: string; seq: number; outcome: Outcome; source: DiffSource };

/** Reported edits of one file, in order. The counts leave out edits that were not applied. */
export type ReportedFile = {
  path: string;
  status: FileChange["status"];
  edits: ReportedEdit[];
  added: number;
  removed: number;
};

/** Files edited by these entries, ordered by their first edit. Compares texts: call it in useMemo. */
export function reportedFilesOf(entries: readonly LogEntry[]): ReportedFile[] {
  const files = new Map<string, ReportedFile>();
  for (const entry of entries) {
    const view = entryView(entry);
    if (entry.message_type !== "ACTION" || view.kind !== "edit") continue;
    const outcome = entryOutcome(entry);
    for (const [place, { path, status, source }] of view.changes.entries()) {
      const file = files.get(path) ?? { path, status, edits: [], added: 0, removed: 0 };
      files.set(path, file);
      file.edits.push({ key: `${entry.seq}.${place}`, seq: entry.seq, outcome, source });
      if (!isApplied(outcome)) continue;
      const { added, removed } = diffOf(source);
      file.added += added;
      file.removed += removed;
      if (status === "deleted" || file.status === "deleted") file.status = status;
    }
  }
  return [...files.values()];
}

/** Whether an edit with this outcome changed its file, as far as is known. */
export function isApplied(outcome: Outcome): boolean {
  return outcome === "ok" || outcome === "unknown";
}

/** The common folder of all these files, with a trailing slash, if it is an absolute path; otherwise empty. */
export function commonFolderOf(paths: readonly string[]): string {
  const [first = "", ...others] = paths;
  if (!/^(?:\/|[A-Za-z]:[\\/])/.test(first)) return "";
  let folder = first.slice(0, first.search(/[\\/][^\\/]*$/) + 1);
  for (const path of others) {
    while (folder !== "" && !path.startsWith(folder))
      folder = folder.slice(0, folder.slice(0, -1).search(/[\\/][^\\/]*$/) + 1);
  }
  return folder.length > 1 ? folder : "";
}
