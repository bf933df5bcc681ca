/** A thread that reads the signs of commits, so that no file of a repository can block the process around it. */
import { parentPort } from "node:worker_threads";
import { GitError } from "#lib/workspace/git.ts";
import { type CommitPlace, openCommit } from "./commit-tree.ts";
import { detectSetup } from "./detect-setup.ts";
import type { ThreadAnswer, ThreadReport } from "./limited-thread.ts";
import type { CommitSigns } from "./read-signs.ts";

const stop = new AbortController();

parentPort?.on("message", (word: ThreadReport<CommitPlace>) => {
  if (word.kind === "stop") stop.abort();
  else void answer(word.question);
});

async function answer(place: CommitPlace): Promise<void> {
  try {
    post({ kind: "answered", value: await readSigns({ ...place, signal: stop.signal }) });
  } catch (error) {
    const git = error instanceof GitError ? { code: error.code, exitCode: error.exitCode, stderr: error.stderr } : null;
    post({ kind: "failed", message: error instanceof Error ? error.message : String(error), git });
  }
}

async function readSigns(place: CommitPlace): Promise<CommitSigns | null> {
  const opened = await openCommit(place);
  if (opened === null) return null;
  const { commit, tree } = opened;
  return { commit, files: tree.paths.length, ...(await detectSetup(tree)) };
}

function post(message: ThreadAnswer<CommitSigns | null>): void {
  parentPort?.postMessage(message);
}
