import { access } from "node:fs/promises";
import { join } from "node:path";
import { findExecutable } from "#lib/find-executable.ts";
import type { Signs } from "#lib/setup/detect-setup.ts";
import { askInTime, ThreadLimitError } from "#lib/setup/limited-thread.ts";
import type { FolderPlace } from "./detect-tests-thread.ts";
import type { GitPlace } from "./git-facts.ts";

/** How to run the tests of a folder, as far as its files show. `reason` is a sentence that names the sign. */
export type TestDetection =
  | { kind: "found"; command: string; reason: string }
  | { kind: "not installed"; command: string; tool: string; reason: string }
  | { kind: "none" }
  | { kind: "too slow"; seconds: number };

/** How long reading the files may take, in milliseconds. */
const usualLimitMs = 20_000;

/**
 * The command that runs the tests of a folder as it is: the first one indicated by its top-level project ({@link detectSetup}),
 * except those of tools that a setup would first install into the folder. `files` are relative to `cwd`. They are read in a
 * thread that is ended at the limit or by the signal, whatever a file makes a parser do.
 */
export async function detectTests(
  { cwd, env, signal }: GitPlace,
  files: string[],
  limitMs = usualLimitMs,
): Promise<TestDetection> {
  const signs = await readSigns({ cwd, files }, signal, limitMs);
  if (signs === null) return { kind: "too slow", seconds: limitMs / 1000 };
  const { commands } = signs;
  const found = commands.find(
    ({ kind, source, folder, tool }) =>
      kind === "test" && folder === "" && tool !== null && !tool.startsWith(".venv/") && !foreign.includes(source),
  );
  if (found === undefined || found.tool === null) return { kind: "none" };
  const { command, tool, reason } = found;
  const installed = tool.startsWith("./")
    ? await exists(join(cwd, tool))
    : (await findExecutable(tool, env.PATH)) !== null;
  return installed ? { kind: "found", command, reason } : { kind: "not installed", command, tool, reason };
}

/** Null if it takes too long. */
async function readSigns(question: FolderPlace, signal: AbortSignal, limitMs: number): Promise<Signs | null> {
  const program = new URL("./detect-tests-thread.ts", import.meta.url);
  try {
    return await askInTime({ program, question, limitMs, signal, name: "Reading the files of the folder" });
  } catch (error) {
    if (error instanceof ThreadLimitError) return null;
    throw error;
  }
}

/** Commands written for other programs, such as CI, may need their machines, so a survey uses only the manifests. */
const foreign = ["errand file", "agent file", "CI"];

function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
