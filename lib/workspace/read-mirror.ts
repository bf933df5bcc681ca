import type { Turns } from "#lib/turns.ts";
import type { Environment } from "./environment.ts";
import { askGitBackend, type GitReadReply, type GitReadRequest } from "./git-backend.ts";
import { mirrorPath } from "./mirror.ts";
import { prepareServedMirror } from "./served-mirror.ts";

/** Whose mirror a git client reads: the repository's id, or `run-<id>` for a run without one. */
export interface MirrorReadRequest extends GitReadRequest {
  key: number | string;
  /** See ServedMirrorOptions. */
  defaultBranch: string | null;
}

/**
 * Responds to a git client that reads a mirror; null if there is none. The turn lasts until the reply's body is closed: read to
 * its end, or destroyed. Throws the refusal of `turns`, GitError, and the signal's reason.
 */
export async function readMirror(
  request: MirrorReadRequest,
  options: { dataDir: string; env: Environment; turns: Turns; signal: AbortSignal },
): Promise<GitReadReply | null> {
  const { env, signal } = options;
  const mirror = mirrorPath(options.dataDir, request.key);
  const leave = await options.turns.enter();
  try {
    signal.throwIfAborted();
    const { defaultBranch } = request;
    const repository = await prepareServedMirror({ mirror, defaultBranch, env, signal });
    const reply = repository === null ? null : await askGitBackend(repository, request, { env, signal });
    if (reply === null) {
      leave();
      return null;
    }
    reply.body.once("close", leave);
    return reply;
  } catch (error) {
    leave();
    throw error;
  }
}
