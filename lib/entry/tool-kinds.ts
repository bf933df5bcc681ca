import { fieldsOf, textField } from "#lib/contract/json-fields.ts";
import { Lru } from "#lib/lru.ts";
import { hiddenChanges } from "./file-changes.ts";
import { patchIn } from "./shell-command.ts";
import { plainToolName } from "./tool-name.ts";
import type { ToolKind } from "./tool-view.ts";

/** A kind that a tool is known to have. */
export type SpecificKind = Exclude<ToolKind, "generic">;

/** Tool names as {@link plainToolName} writes them, by kind. */
const namesByKind: Record<SpecificKind, string> = {
  shell:
    "bash shell execcommand runshellcommand runcommand localshell localshellcall execute executebash executecommand terminal runinterminal runterminalcmd runterminalcommand bashcommand containerexec writestdin exec executepython runipython executeipythoncell python",
  edit: "edit write multiedit notebookedit replace writefile applypatch applydiff patch create createfile editfile strreplace strreplaceeditor strreplacebasededittool delete deletefile move writetofile replaceinfile searchreplace insertcontent insert multireplacefilecontent replacefilecontent",
  read: "read readfile viewfile view cat openfile open readmanyfiles notebookread viewimage goto scrollup scrolldown",
  search:
    "grep glob search findfiles ripgrep ripgrepsearch grepsearch searchfilecontent filesearch codesearch codebasesearch websearch websearchcall googlewebsearch toolsearch toolsearchcall searchfile searchdir findfile searchfiles",
  list: "ls list listdir listdirectory listfiles",
  fetch: "fetch webfetch fetchurl httprequest readurl",
  plan: "todowrite updateplan taskcreate taskupdate writetodos todoread setplan manageplan updatetodolist",
  agent: "task agent spawnagent waitagent sendinput closeagent delegate delegatetask newtask runsubagent",
  question: "askuserquestion question askuser requestuserinput askfollowupquestion",
  think: "think thought sequentialthinking",
  answer: "finish submit attemptcompletion exitplanmode",
  browser: "browse browser webbrowser browseinteractive browserview",
};

const kinds = new Map<string, SpecificKind>();
for (const [kind, names] of Object.entries(namesByKind)) {
  // The record has every specific kind as a key and no other.
  for (const name of names.split(" ")) kinds.set(name, kind as SpecificKind);
}

/** Cached names: a run has few tools and many calls, and each call looks up several times. */
const kindsOfNames = new Lru<string | null, SpecificKind | null>({ count: 1_000 });

/** A tool's kind by its name alone; null if the name says nothing. */
export function kindOfName(toolName: string | null): SpecificKind | null {
  return kindsOfNames.obtain(toolName, () => {
    const name = plainToolName(toolName);
    const known = kinds.get(name);
    if (known !== undefined) return known;
    if (/^(?:web)?browser|^playwright/.test(name)) return "browser";
    return name.endsWith("retriever") ? "search" : null;
  });
}

/**
 * A call's kind by the shape of its input, if that says more than the name: one tool has several commands
 * (`str_replace_editor`), or one name several tools (`task`). Null if the name decides.
 */
export function kindOfShape(input: Record<string, unknown>): SpecificKind | null {
  const editor = kindsByEditorCommand.get(textField(input, "command") ?? "");
  if (editor !== undefined && (textField(input, "path", "file_path") !== null || "file_text" in input)) return editor;
  if (textField(input, "subagent_type", "agent_type") !== null) return "agent";
  if (Array.isArray(input.todos) && areSteps(input.todos)) return "plan";
  if (Array.isArray(input.plan) && areSteps(input.plan)) return "plan";
  if (isListOf(input.questions, "question")) return "question";
  if (isSession(input)) return "shell";
  if (hiddenChanges(input).length > 0) return "edit";
  if (patchIn(input.command ?? input.cmd) !== null) return "edit";
  return null;
}

const kindsByEditorCommand = new Map<string, SpecificKind>([
  ["view", "read"],
  ["create", "edit"],
  ["str_replace", "edit"],
  ["insert", "edit"],
  ["undo_edit", "edit"],
]);

/** A call that continues a running command: codex names its session, or the cell of a script. */
function isSession(input: Record<string, unknown>): boolean {
  // A cell of a notebook is no session.
  if ("notebook_path" in input || "new_source" in input) return false;
  return "cell_id" in input || ("session_id" in input && ("chars" in input || "yield_time_ms" in input));
}

function areSteps(items: readonly unknown[]): boolean {
  return (
    items.length === 0 || items.some((item) => textField(fieldsOf(item), "content", "step", "title", "task") !== null)
  );
}

function isListOf(value: unknown, name: string): boolean {
  return Array.isArray(value) && value.length > 0 && value.every((one) => textField(fieldsOf(one), name) !== null);
}
