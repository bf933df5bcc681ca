import type { PatchFile, PatchHunk } from "./patch.ts";

/**
 * Files of a patch in the format of apply_patch (`*** Begin Patch`, `*** Update File: …`), in its order; empty if the text
 * contains none. Such a patch has no line numbers: those of its hunks are null.
 */
export function parseBeginPatch(text: string): PatchFile[] {
  const files: PatchFile[] = [];
  let file: PatchFile | null = null;
  let hunk: PatchHunk | null = null;
  for (const written of text.split("\n", linesMax)) {
    const line = written.endsWith("\r") ? written.slice(0, -1) : written;
    const header = /^\*\*\* (Add|Update|Delete) File: (.+)$/.exec(line);
    if (header !== null) {
      file = newFile(header[1] ?? "", (header[2] ?? "").trim());
      files.push(file);
      hunk = null;
      continue;
    }
    if (file === null || line.startsWith("*** End of File")) continue;
    const target = /^\*\*\* Move to: (.+)$/.exec(line)?.[1];
    if (target !== undefined) {
      file.newPath = target.trim();
      file.status = "renamed";
      continue;
    }
    if (/^\*\*\* (?:End|Begin) Patch/.test(line)) {
      file = null;
      continue;
    }
    if (line.startsWith("@@")) {
      hunk = { oldStart: null, newStart: null, heading: line.slice(2).replace(/@@$/, "").trim(), lines: [] };
      file.hunks.push(hunk);
      continue;
    }
    if (hunk === null) {
      const start = file.status === "added" ? 1 : null;
      hunk = { oldStart: start, newStart: start, heading: "", lines: [] };
      file.hunks.push(hunk);
    }
    addLine(file, hunk, line);
  }
  for (const one of files) one.hunks = one.hunks.filter(({ lines }) => lines.length > 0);
  return files;
}

const linesMax = 200_000;

function newFile(verb: string, path: string): PatchFile {
  const isNew = verb === "Add";
  const isGone = verb === "Delete";
  return {
    oldPath: isNew ? null : path,
    newPath: isGone ? null : path,
    status: isNew ? "added" : isGone ? "deleted" : "modified",
    isBinary: false,
    oldBytes: null,
    newBytes: null,
    oldMode: null,
    newMode: null,
    added: 0,
    removed: 0,
    hunks: [],
  };
}

function addLine(file: PatchFile, hunk: PatchHunk, line: string): void {
  const text = line.slice(1);
  if (line.startsWith("+")) {
    hunk.lines.push({ kind: "added", text });
    file.added += 1;
  } else if (line.startsWith("-")) {
    hunk.lines.push({ kind: "removed", text });
    file.removed += 1;
  } else if (line === "" || line.startsWith(" ")) hunk.lines.push({ kind: "same", text });
  else hunk.lines.push({ kind: "same", text: line });
}
