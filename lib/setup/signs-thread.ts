/** A thread that reads the signs of a commit, so that no file of a repository can hold up the process around it. */
import { parentPort, workerData } from "node:worker_threads";
import { GitError } from "#lib/workspace/git.ts";
import { type CommitPlace, openCommit } from "./commit-tree.ts";
import { detectSetup } from "./detect-setup.ts";
import type { ThreadAnswer } from "./limited-thread.ts";
import type { CommitSigns } from "./read-signs.ts";

const stop = new AbortController();
parentPort?.once("message", () => stop.abort());

// What the thread is started with is written by read-signs.ts alone.
const place = workerData as CommitPlace;
try {
  post({ kind: "answered", value: await readSigns() });
} catch (error) {
  const git = error instanceof GitError ? { code: error.code, exitCode: error.exitCode, stderr: error.stderr } : null;
  post({ kind: "failed", message: error instanceof Error ? error.message : String(error), git });
}

async function readSigns(): Promise<CommitSigns | null> {
  const opened = await openCommit({ ...place, signal: stop.signal });
  if (opened === null) return null;
  const { commit, tree } = opened;
  return { commit, files: tree.paths.length, ...(await detectSetup(tree)) };
}

function post(answer: ThreadAnswer<CommitSigns | null>): void {
  parentPort?.postMessage(answer);
}
