/** Reads the signs of a folder in a thread, so that no file in it can block the agent. */
import { parentPort } from "node:worker_threads";
import { detectSetup, type Signs } from "#lib/setup/detect-setup.ts";
import type { ThreadAnswer, ThreadReport } from "#lib/setup/limited-thread.ts";
import { folderTree } from "#lib/setup/source-tree.ts";

/** A folder and its files, relative to it. */
export type FolderPlace = { cwd: string; files: string[] };

parentPort?.on("message", (word: ThreadReport<FolderPlace>) => {
  // Reading a file takes bounded time: it finishes, or the thread is ended.
  if (word.kind === "asked") void answer(word.question);
});

async function answer({ cwd, files }: FolderPlace): Promise<void> {
  try {
    post({ kind: "answered", value: await detectSetup(folderTree(cwd, files)) });
  } catch (error) {
    post({ kind: "failed", message: error instanceof Error ? error.message : String(error), git: null });
  }
}

function post(message: ThreadAnswer<Signs>): void {
  parentPort?.postMessage(message);
}
