import { setupBounds } from "#lib/contract/bounds.ts";
import { type Evidence, SetupKind } from "#lib/contract/repositories/setup-command.ts";

import { toolOf } from "./classify-line.ts";
import type { FoundCommand, SignSource } from "./found-command.ts";
import { lineAt, lineOfKey, objectOf, parseJsonc, textsOf } from "./text-lines.ts";
import { readWorkflow } from "./workflows.ts";
import { parseYaml } from "./yaml-lines.ts";

const errandFile = ".errand/setup.json";
const copilotFile = ".github/workflows/copilot-setup-steps.yml";
const readers: Record<string, (path: string, text: string) => FoundCommand[]> = {
  [errandFile]: readErrandFile,
  ".cursor/environment.json": readCursor,
  ".openhands/setup.sh": readOpenHands,
  [copilotFile]: readCopilot,
  ".devcontainer/devcontainer.json": readDevcontainer,
  ".devcontainer.json": readDevcontainer,
};

/** Files in which a repository says how agents prepare it: Errand's own, and those of other agents. */
export const agentFiles = Object.keys(readers);

/** The commands of one of {@link agentFiles}. */
export function readAgentFile(path: string, text: string): FoundCommand[] {
  return readers[path]?.(path, text) ?? [];
}

/** `inputs` of Errand's own file, as written. */
export function readErrandInputs(text: string): string[] {
  return textsOf(objectOf(parseJsonc(text)).inputs);
}

function readErrandFile(path: string, text: string): FoundCommand[] {
  const file = objectOf(parseJsonc(text));
  return SetupKind.options.flatMap((kind) => {
    const lineOfKind = lineOfKey(text, [kind]);
    return textsOf(file[kind]).map((command, index) => {
      // Finding each line is linear in the file: only done for as many as can be accepted.
      const at = index < setupBounds.commandsMax ? text.indexOf(JSON.stringify(command)) : -1;
      return commandOf(kind, command, "errand file", { path, line: at === -1 ? lineOfKind : lineAt(text, at) });
    });
  });
}

function readCursor(path: string, text: string): FoundCommand[] {
  const { install } = objectOf(parseJsonc(text));
  const line = lineOfKey(text, ["install"]);
  return textsOf(install).map((command) => commandOf("install", command, "agent file", { path, line }));
}

/** The whole script: its lines may depend on each other. */
function readOpenHands(path: string, text: string): FoundCommand[] {
  return text.trim() === "" ? [] : [commandOf("install", `bash ${path}`, "agent file", { path, line: 1 })];
}

function readCopilot(path: string, text: string): FoundCommand[] {
  const yaml = parseYaml(text);
  return yaml === null ? [] : readWorkflow(path, yaml, "copilot-setup-steps");
}

/** The lifecycle commands of a dev container: a string, an array of strings, or an object of several of these. */
function readDevcontainer(path: string, text: string): FoundCommand[] {
  const file = objectOf(parseJsonc(text));
  return ["onCreateCommand", "updateContentCommand", "postCreateCommand"].flatMap((name) => {
    const value = file[name];
    const entries = typeof value === "string" || Array.isArray(value) ? [value] : Object.values(objectOf(value));
    return entries.flatMap((entry) => {
      const command = Array.isArray(entry) ? textsOf(entry).map(quoted).join(" ") : entry;
      if (typeof command !== "string" || command.trim() === "") return [];
      return [commandOf("install", command, "agent file", { path, line: lineOfKey(text, [name]) })];
    });
  });
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

function commandOf(kind: SetupKind, text: string, source: SignSource, evidence: Evidence): FoundCommand {
  const command = text.trim();
  const reason = `${evidence.path} names it.`;
  return {
    kind,
    command,
    source,
    confidence: "high",
    evidence: [evidence],
    reason,
    folder: "",
    tool: toolOf(command),
  };
}
