import { access } from "node:fs/promises";
import { join } from "node:path";
import { detectSetup } from "#lib/setup/detect-setup.ts";
import { folderTree } from "#lib/setup/source-tree.ts";
import { findExecutable } from "./find-executable.ts";

/** How the tests of a folder are run, as far as its files tell. `reason` is a sentence that names the sign. */
export type TestDetection =
  | { kind: "found"; command: string; reason: string }
  | { kind: "not installed"; command: string; tool: string; reason: string }
  | { kind: "none" };

/**
 * The command that runs the tests of a folder as it lies: the first that the project at its top speaks for
 * ({@link detectSetup}), without those of tools that a setup would first install into the folder. `files` are relative to
 * `cwd`.
 */
export async function detectTests(cwd: string, files: string[], env: NodeJS.Dict<string>): Promise<TestDetection> {
  const { commands } = await detectSetup(folderTree(cwd, files));
  const found = commands.find(
    ({ kind, source, folder, tool }) =>
      kind === "test" && folder === "" && tool !== null && !tool.startsWith(".venv/") && !foreign.includes(source),
  );
  if (found === undefined || found.tool === null) return { kind: "none" };
  const { command, tool, reason } = found;
  const installed = tool.startsWith("./") ? await exists(join(cwd, tool)) : (await findExecutable(tool, env)) !== null;
  return installed ? { kind: "found", command, reason } : { kind: "not installed", command, tool, reason };
}

/** What other programs are told to run may need their machines: a survey keeps to the manifests. */
const foreign = ["errand file", "agent file", "CI"];

function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
