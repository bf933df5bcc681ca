import { ApiError } from "#lib/contract/error.ts";
import type { MirrorReply, MirrorRequest } from "#lib/http/runtime-access.ts";
import type { AllowedTargets } from "#lib/outbound/allowed-targets.ts";
import type { KeptWork, Push, PushOutcome } from "#lib/service/service-context.ts";
import { Turns } from "#lib/turns.ts";
import type { Environment } from "#lib/workspace/environment.ts";

type MirrorSettings = { dataDir: string; environment: Environment };

/** Pushes branches of mirrors to their sources. */
export function branchPusher(config: MirrorSettings & { outboundAllow: AllowedTargets }) {
  const { dataDir, outboundAllow: allowed, environment: env } = config;
  return async (push: Push, signal: AbortSignal): Promise<PushOutcome> => {
    const { pushBranch } = await import("#lib/workspace/push-branch.ts");
    return pushBranch({ ...push, dataDir, allowed, env, signal });
  };
}

/** Fetches served at once; each is a git process, with as many threads as the machine has cores. */
const fetchesMax = 8;
const fetchesWaitingMax = 64;

/** Comparisons and files read at once; a comparison holds at most two diffs of 20 MB in memory. */
const readsMax = 4;
const readsWaitingMax = 64;

/** Reads runs' work in the mirrors, a few reads at a time. */
export function workReader({ dataDir, environment: env }: MirrorSettings): KeptWork {
  const turns = new Turns(readsMax, { max: readsWaitingMax, refuse: refusal("reads") });
  return {
    compare: (range, signal) =>
      turns.take(async () => {
        const { compareCommits } = await import("#lib/workspace/kept-work.ts");
        return compareCommits({ ...range, dataDir, env, signal });
      }),
    readFile: (file, signal) =>
      turns.take(async () => {
        const { readCommitFile } = await import("#lib/workspace/kept-work.ts");
        return readCommitFile({ ...file, dataDir, env, signal });
      }),
  };
}

/** Serves mirrors to git clients, a few at a time. */
export function mirrorReader({ dataDir, environment: env }: MirrorSettings) {
  const turns = new Turns(fetchesMax, { max: fetchesWaitingMax, refuse: refusal("fetches") });
  return async (request: MirrorRequest, signal: AbortSignal): Promise<MirrorReply | null> => {
    const { readMirror } = await import("#lib/workspace/read-mirror.ts");
    return readMirror(request, { dataDir, env, turns, signal });
  };
}

/** Refuses a request that would have to wait for too many others. */
function refusal(others: string) {
  const words = `Too many ${others} are in progress. Try again in a few seconds.`;
  return () => new ApiError("unavailable", words, { headers: { "retry-after": "5" } });
}
