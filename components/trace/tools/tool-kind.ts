import { fieldsOf, numberField, stringField, textField } from "#lib/contract/json-fields.ts";

/** The parts of an entry, or of a tool in flight, that tell what the tool is. */
export type ToolCall = { tool_name: string | null; tool_input: unknown; tool_output: unknown };

/**
 * One file before and after; `oldText` is null for a new file. The texts may be parts of the file; `firstLine` is
 * where they begin, from 1, and null where that is not known.
 */
export type FileChange = { path: string; oldText: string | null; newText: string; firstLine: number | null };

/** What a tool does, and what of its input a reader wants to see. */
export type ToolView =
  | { kind: "shell"; command: string; description: string | null }
  | { kind: "edit"; changes: FileChange[]; patch: string | null }
  | { kind: "read"; path: string; firstLine: number | null }
  | { kind: "search"; query: string; where: string | null }
  | { kind: "fetch"; url: string }
  | { kind: "generic"; title: string | null };

export type ToolKind = ToolView["kind"];

/** The tool's view, by its name where its input fits, else by the shape of input and output. */
export function toolViewOf(tool: ToolCall): ToolView {
  const input = fieldsOf(tool.tool_input);
  const output = fieldsOf(tool.tool_output);
  const named = kindsByName.get(plainName(tool.tool_name ?? ""));
  // A command may change files too; what it says is still the command.
  const order: readonly SpecificKind[] = named === undefined ? byShape : [named, ...byShape];
  for (const kind of order) {
    const view = readers[kind](input, output, kind === named);
    if (view !== null) return view;
  }
  return { kind: "generic", title: textField(input, "title", "description", "name", "prompt") };
}

/** The one argument that matters, in one line. */
export function headlineOf(view: ToolView): string {
  switch (view.kind) {
    case "shell":
      return firstLineOf(view.command);
    case "edit": {
      const paths = [...new Set(view.changes.map((change) => shortPath(change.path)))];
      const [first] = paths;
      if (first === undefined) return patchHeadline(view.patch ?? "");
      return paths.length === 1 ? first : `${first} and ${paths.length - 1} more`;
    }
    case "read":
      return shortPath(view.path);
    case "search":
      return view.where === null ? view.query : `${view.query} in ${shortPath(view.where)}`;
    case "fetch":
      return view.url;
    case "generic":
      return firstLineOf(view.title ?? "");
  }
}

/** A path as it is in the run's checkout; any other absolute one by its last three parts. */
export function shortPath(path: string): string {
  const inCheckout = /^\/.*?\/checkouts\/\d+\/(.+)$/.exec(path)?.[1];
  if (inCheckout !== undefined) return inCheckout;
  const parts = path.split("/");
  return path.startsWith("/") && parts.length > 4 ? `…/${parts.slice(-3).join("/")}` : path;
}

/** What a tool is for by its name alone; generic where the name tells nothing. */
export function toolKindOf(toolName: string | null): ToolKind {
  return kindsByName.get(plainName(toolName ?? "")) ?? "generic";
}

type SpecificKind = Exclude<ToolKind, "generic">;
type Fields = Record<string, unknown>;
type Reader = (input: Fields, output: Fields, isNamed: boolean) => ToolView | null;

/** Without a name that is known, the first that fits; those that need least come last. */
const byShape: readonly SpecificKind[] = ["shell", "edit", "fetch", "search"];

const kindsByName = new Map<string, SpecificKind>();
nameKind(
  "shell",
  "bash shell execcommand runshellcommand runcommand localshell execute executecommand terminal runinterminal containerexec",
);
nameKind(
  "edit",
  "edit write multiedit notebookedit replace writefile applypatch patch createfile editfile strreplace strreplaceeditor strreplacebasededittool delete deletefile move",
);
nameKind("read", "read readfile viewfile view cat openfile readmanyfiles notebookread");
nameKind(
  "search",
  "grep glob search ls list listdir listdirectory listfiles findfiles ripgrep ripgrepsearch grepsearch searchfilecontent filesearch codesearch websearch googlewebsearch toolsearch",
);
nameKind("fetch", "fetch webfetch fetchurl httprequest browse");

function nameKind(kind: SpecificKind, names: string): void {
  for (const name of names.split(" ")) kindsByName.set(name, kind);
}

const readers: Record<SpecificKind, Reader> = {
  shell(input) {
    const command = commandOf(input.command ?? input.cmd ?? input.script);
    if (command === null) return null;
    const description = textField(input, "description");
    return { kind: "shell", command, description: description === command ? null : description };
  },

  edit(input, output, isNamed) {
    const reported = Array.isArray(output.diffs) ? output.diffs.flatMap(changeOf) : [];
    if (reported.length > 0) return { kind: "edit", changes: reported, patch: null };
    const changes = wantedChanges(input, isNamed);
    if (changes.length > 0) return { kind: "edit", changes, patch: null };
    const patch = textField(input, "patch", "patchText", "diff") ?? (isNamed ? textField(input, "input") : null);
    return patch === null ? null : { kind: "edit", changes: [], patch };
  },

  read(input) {
    const path = pathOf(input) ?? (Array.isArray(input.paths) ? textField({ path: input.paths[0] }, "path") : null);
    if (path === null) return null;
    const offset = input.offset ?? input.start_line;
    return { kind: "read", path, firstLine: typeof offset === "number" && offset > 0 ? offset : null };
  },

  search(input, _output, isNamed) {
    const query = textField(input, "pattern", "query", "regex", "glob", "search");
    const where = pathOf(input) ?? textField(input, "dir_path", "directory", "cwd");
    if (query !== null) return { kind: "search", query, where };
    return isNamed && where !== null ? { kind: "search", query: where, where: null } : null;
  },

  fetch(input) {
    const url = textField(input, "url", "uri");
    return url === null ? null : { kind: "fetch", url };
  },
};

function wantedChanges(input: Fields, isNamed: boolean): FileChange[] {
  const path = pathOf(input);
  if (path === null) return [];
  const edits = Array.isArray(input.edits) ? input.edits.map(fieldsOf) : [input];
  const replaced = edits.flatMap((edit): FileChange[] => {
    const oldText = stringField(edit, "old_string", "oldString", "old_str", "oldText");
    const newText = stringField(edit, "new_string", "newString", "new_str", "newText");
    return oldText === null || newText === null ? [] : [{ path, oldText, newText, firstLine: null }];
  });
  if (replaced.length > 0 || !isNamed) return replaced;
  const whole = stringField(input, "content", "contents", "file_text", "text", "new_source");
  return whole === null ? [] : [{ path, oldText: null, newText: whole, firstLine: 1 }];
}

function changeOf(value: unknown): FileChange[] {
  const fields = fieldsOf(value);
  const path = stringField(fields, "path");
  const newText = stringField(fields, "newText");
  if (path === null || newText === null) return [];
  const oldText = stringField(fields, "oldText");
  return [{ path, oldText, newText, firstLine: isWhole(oldText, newText) ? 1 : numberField(fields, "line") }];
}

/** Some agents report whole files, some the words that they replaced: files end with their last line. */
function isWhole(oldText: string | null, newText: string): boolean {
  return [oldText ?? "", newText].every((text) => text === "" || text.endsWith("\n"));
}

function pathOf(input: Fields): string | null {
  return textField(input, "file_path", "filePath", "path", "absolute_path", "target_file", "notebook_path", "filename");
}

/** A command as one text. What a shell is only told to run is the command: `bash -lc '…'` is how it was started. */
function commandOf(value: unknown): string | null {
  if (Array.isArray(value)) {
    const words = value.filter((word) => typeof word === "string");
    if (words.length === 0) return null;
    const script = words.length === 3 && /^-[a-z]*c$/.test(words[1] ?? "") ? words[2] : undefined;
    return script ?? words.map(quoted).join(" ");
  }
  if (typeof value !== "string" || value.trim() === "") return null;
  const shell = /^(?:\/(?:usr\/)?bin\/)?(?:ba|z|da)?sh -l?c '/.exec(value)?.[0];
  if (shell === undefined || !value.endsWith("'")) return value;
  const parts = value.slice(shell.length, -1).split("'\\''");
  // Another quote inside ends the script: there is more to the command than that.
  return parts.some((part) => part.includes("'")) ? value : parts.join("'");
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

function plainName(name: string): string {
  // Tools of MCP servers are named `mcp__server__tool`.
  const own = name.split("__").at(-1) ?? name;
  return own.toLowerCase().replace(/[^a-z]/g, "");
}

function firstLineOf(text: string): string {
  return text.trimStart().split("\n", 1)[0]?.slice(0, 400) ?? "";
}

function patchHeadline(patch: string): string {
  const path = /^(?:\+\+\+ (?:b\/)?|\*\*\* (?:Update|Add|Delete) File: )(.+)$/m.exec(patch)?.[1];
  return path === undefined ? "" : shortPath(path.trim());
}
