import { fieldsOf, numberField, stringField, textField } from "#lib/contract/json-fields.ts";
import { parseBeginPatch } from "./begin-patch.ts";
import { type PatchFile, type PatchHunk, type PatchLine, parsePatch } from "./patch.ts";
import { searchReplaceBlocks } from "./search-replace.ts";

/**
 * Change of one file. `source` is the input for its diff: two texts (`oldText` null: the file is new or its content is unknown;
 * `firstLine` is where the texts begin in the file, from 1, null if unknown), or hunks.
 */
export type FileChange = {
  path: string;
  /** Path before a rename; null if the file was not renamed. */
  oldPath: string | null;
  status: "added" | "modified" | "deleted" | "renamed";
  source: { oldText: string | null; newText: string; firstLine: number | null } | { hunks: readonly PatchHunk[] };
};

/**
 * Files of a patch in any known format: unified, `*** Begin Patch`, or SEARCH/REPLACE blocks (of the file `path` if the blocks
 * name none). Empty for other formats.
 */
export function changesOfPatch(patch: string, path: string | null = null): FileChange[] {
  if (/^\*\*\* (?:Begin Patch|(?:Add|Update|Delete) File: )/m.test(patch)) {
    return parseBeginPatch(patch).map(changeOfFile);
  }
  if (/^<{5,9} ?SEARCH\b/m.test(patch)) {
    return searchReplaceBlocks(patch).flatMap((block) => {
      const file = block.path ?? path;
      return file === null ? [] : [textChange(file, block.oldText === "" ? null : block.oldText, block.newText, null)];
    });
  }
  // A patch of one file may have its name in the field beside it.
  const named = path !== null && /^@@ /.test(patch) ? `--- ${path}\n+++ ${path}\n${patch}` : patch;
  return parsePatch(named).files.map(changeOfFile);
}

function changeOfFile(file: PatchFile): FileChange {
  const path = file.newPath ?? file.oldPath ?? "";
  const isRenamed = file.oldPath !== null && file.newPath !== null && file.oldPath !== file.newPath;
  const status = file.status === "copied" ? "added" : file.status;
  return { path, oldPath: isRenamed ? file.oldPath : null, status, source: { hunks: file.hunks } };
}

/** Changes reported by the tool (`tool_output.diffs`, as Errand's own driver writes them). */
export function reportedChanges(output: Record<string, unknown>): FileChange[] {
  return Array.isArray(output.diffs) ? output.diffs.flatMap(reportedChange) : [];
}

/** Changes whose texts a share link leaves out: files by name and status. */
export function hiddenChanges({ changed_files: files }: Record<string, unknown>): FileChange[] {
  if (!Array.isArray(files)) return [];
  return files.map(fieldsOf).flatMap((file): FileChange[] => {
    const path = textField(file, "path");
    const status = (["added", "modified", "deleted", "renamed"] as const).find((known) => known === file.status);
    if (path === null || status === undefined) return [];
    return [{ path, oldPath: textField(file, "old_path"), status, source: { hunks: [] } }];
  });
}

function reportedChange(value: unknown): FileChange[] {
  const fields = fieldsOf(value);
  const path = stringField(fields, "path");
  const newText = stringField(fields, "newText");
  if (path === null || newText === null) return [];
  const oldText = stringField(fields, "oldText");
  const firstLine = isWhole(oldText, newText) ? 1 : numberField(fields, "line");
  return [textChange(path, oldText, newText, firstLine)];
}

/** Some agents report whole files, others the replaced text: files end with their last line. */
function isWhole(oldText: string | null, newText: string): boolean {
  return [oldText ?? "", newText].every((text) => text === "" || text.endsWith("\n"));
}

/**
 * Changes the tool was asked to make: old and new strings (also several, in `edits`), inserted lines, or a whole file. A whole
 * file counts only if `isNamed`: the tool is known to edit.
 */
export function wantedChanges(input: Record<string, unknown>, isNamed: boolean): FileChange[] {
  const path = inputPath(input);
  if (path === null) return [];
  const edits = editsIn(input);
  const replaced = edits.flatMap((edit): FileChange[] => {
    const oldText = stringField(edit, "old_string", "oldString", "old_str", "oldText", "search");
    const newText = stringField(edit, "new_string", "newString", "new_str", "newText", "replace");
    return oldText === null || newText === null ? [] : [textChange(path, oldText, newText, null)];
  });
  if (replaced.length > 0) return replaced;
  const line = numberField(input, "insert_line");
  const inserted = stringField(input, "new_str", "insert_text", "text");
  if (line !== null && inserted !== null) return [insertion(path, line, inserted)];
  if (!isNamed) return [];
  // A cell of a notebook, and a sketch of an edit in which marks stand for unchanged lines: parts of a file that is there.
  const part = stringField(input, "new_source", "code_edit");
  if (part !== null) return [textChange(path, null, part, null, "modified")];
  const whole = stringField(input, "content", "contents", "file_text", "text", "CodeContent");
  return whole === null ? [] : [textChange(path, null, whole, 1)];
}

/** Edits of a call: several for one file, or the call itself. */
function editsIn(input: Record<string, unknown>): Record<string, unknown>[] {
  return Array.isArray(input.edits) ? input.edits.map(fieldsOf) : [input];
}

function insertion(path: string, line: number, text: string): FileChange {
  const lines = text.replace(/\n$/, "").split("\n");
  const added = lines.map((one): PatchLine => ({ kind: "added", text: one }));
  const hunk: PatchHunk = { oldStart: line, newStart: line + 1, heading: "", lines: added };
  return { path, oldPath: null, status: "modified", source: { hunks: [hunk] } };
}

/** A change by its texts; `oldText` null: all of the new text is added. */
export function textChange(
  path: string,
  oldText: string | null,
  newText: string,
  firstLine: number | null,
  status: FileChange["status"] = oldText === null ? "added" : "modified",
): FileChange {
  return { path, oldPath: null, status, source: { oldText, newText, firstLine } };
}

/** File named in a tool's input, by any of the common names. */
export function inputPath(input: Record<string, unknown>): string | null {
  return textField(
    input,
    "file_path",
    "filePath",
    "path",
    "absolute_path",
    "AbsolutePath",
    "absolutePath",
    "target_file",
    "TargetFile",
    "notebook_path",
    "relative_path",
    "filename",
    "file",
  );
}
