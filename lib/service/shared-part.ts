import { ApiError } from "#lib/contract/error.ts";
import { parseExactJson } from "#lib/contract/exact-json.ts";
import type { Progress } from "#lib/contract/runs/progress.ts";
import { isEnd } from "#lib/contract/runs/run-status.ts";
import type { SharedRun, ShareFacts } from "#lib/contract/runs/shared-run.ts";
import { toolViewOf } from "#lib/entry/read-tool-view.ts";
import { headlineOf } from "#lib/entry/tool-view.ts";
import { type GivenMask, maskGiven } from "#lib/host/given-secrets.ts";
import type { Access } from "#lib/store/runs/access.ts";
import type { ShareRow } from "#lib/store/runs/shares.ts";
import type { RunRow } from "#lib/store/store.ts";
import { maskJson, maskText } from "./mask-secrets.ts";
import type { ServiceContext } from "./service-context.ts";
import type { Shows } from "./shared-entry.ts";
import { sharedInput } from "./shown-of.ts";

/** A link, and the mask of the secrets that agents of its run would be given now. */
type OpenedShare = ShareRow & { values: GivenMask };

/** The part of a run a link shows: `count` entries from `first` to `last`; none if `count` is 0. */
export type SharedPart = {
  share: OpenedShare;
  run: RunRow;
  access: Access;
  first: number;
  last: number;
  count: number;
};

/** Part of a run that a link leads to. The same 404 for every link that does not work. */
export async function openShare(context: ServiceContext, token: string): Promise<SharedPart> {
  const share = await findShare(context, token);
  const part = share === null ? null : await readPart(context, share);
  if (part === null) throw new ApiError("not_found", "Share link not found.", { isFailedAuthentication: true });
  return part;
}

/** The link with this secret, if it (still) works. */
export function findShare({ store, secrets }: ServiceContext, token: string): Promise<ShareRow | null> {
  return store.shares.findByHash(secrets.hashSecret(token));
}

async function readPart(context: ServiceContext, share: ShareRow): Promise<SharedPart | null> {
  // The link gives the right to read this one run.
  const access = { organizationId: share.organizationId, userId: null };
  const run = await context.store.runs.find(access, share.runId);
  if (run === null) return null;
  const values = await valuesOf(context, run);
  return { share: { ...share, values }, run, access, ...boundsOf(share, run.totalLogs) };
}

/** Masks the secrets that agents of a run would be given now: its log may be older than they are, or come from elsewhere. */
export function valuesOf({ store, seal }: Pick<ServiceContext, "store" | "seal">, run: RunRow): Promise<GivenMask> {
  const { organizationId, repositoryId, id: runId } = run;
  return maskGiven({ store, seal }, { organizationId, repositoryId, runId });
}

/** Whether a link masks something of a text: what it does not show is not found by a guess either. */
export function isMaskedBy({ values }: OpenedShare): (text: string) => boolean {
  return (text) => maskText(text, undefined, values) !== text;
}

/** Entries that a link shows of a run with this many. */
export function boundsOf({ fromSeq, toSeq }: Pick<ShareRow, "fromSeq" | "toSeq">, totalLogs: number) {
  const last = Math.min(toSeq ?? totalLogs, totalLogs);
  return { first: fromSeq, last, count: Math.max(0, last - fromSeq + 1) };
}

/** True if the part can no longer grow, whatever happens to the run. */
export function isFull({ share, last }: Pick<SharedPart, "share" | "last">): boolean {
  return share.toSeq !== null && last === share.toSeq;
}

/** Public facts of the run: see {@link SharedRun}. A complete part counts as completed even while its run continues. */
export function presentSharedRun(part: SharedPart, address: string): SharedRun {
  const { share, run } = part;
  const mask = (text: string) => maskText(text, undefined, share.values);
  const masked = (text: string | null) => (text === null ? null : mask(text));
  const hasBeginning = share.fromSeq === 1;
  const hasEnd = share.toSeq === null || share.toSeq >= run.totalLogs;
  // An answer given before the first entry shown is not part of what is shared.
  const hasResult = hasEnd && (hasBeginning || (run.resultSeq ?? 0) >= share.fromSeq);
  const isDone = isFull(part) && !isEnd(run.status);
  return {
    id: run.id,
    organization_id: 0,
    status: isDone ? "completed" : run.status,
    created_at: run.createdAt,
    web_url: address,
    result: hasResult ? masked(run.result) : null,
    summary: hasResult ? masked(run.summary) : null,
    result_turn: hasBeginning && hasResult ? run.resultTurn : null,
    source_type: "API",
    github_pull_requests: [],
    pull_request: null,
    metadata: {},
    prompt: hasBeginning ? mask(run.prompt) : "Part of a run",
    repo_id: null,
    repo_full_name: null,
    base_branch: masked(run.baseBranch),
    branch: masked(run.branch),
    agent: mask(run.agent),
    model: masked(run.model),
    permission_mode: run.permissionMode,
    mode: run.mode,
    turn_timeout_s: run.turnTimeoutS,
    started_at: run.startedAt,
    finished_at: hasEnd ? run.finishedAt : null,
    work_ms: hasBeginning && hasEnd ? (run.workMs ?? null) : null,
    turn_started_at: hasBeginning && hasEnd ? (run.turnStartedAt ?? null) : null,
    total_logs: part.count,
    tokens: hasBeginning && hasEnd ? run.tokens : null,
    cost_usd: hasBeginning && hasEnd ? run.costUsd : null,
    // A message that has not been sent is private.
    turns: hasBeginning && hasEnd ? run.turns - run.queuedTurns : 1,
    latest_turn: hasBeginning && hasEnd ? run.latestTurn : null,
    failed_turns: hasBeginning && hasEnd ? (run.failedTurns ?? 0) : 0,
    queued_turns: 0,
    queue_position: null,
    steerable: false,
    banned_at: null,
    pushed: null,
    isolation: null,
    user_id: null,
    user_name: null,
    question: null,
    changes: null,
    work_left_out: 0,
    share: factsOf(share),
  };
}

function factsOf(share: ShareRow): ShareFacts {
  return {
    from_seq: share.fromSeq,
    to_seq: share.toSeq,
    outputs: share.showsOutputs,
    shared_by: share.userName,
    created_at: share.createdAt,
    expires_at: share.expiresAt,
  };
}

/** Progress as far as the link shows it; null if there is none. */
export function presentSharedProgress(progress: Progress | null, { showsOutputs, values }: Shows): Progress | null {
  if (progress === null) return null;
  const shown = parseExactJson(JSON.stringify(progress)) as Progress;
  if (!showsOutputs) {
    for (const tool of shown.tools) {
      const call = { tool_name: tool.tool_name, ...sharedInput({ ...tool, tool_output: null }), tool_output: null };
      // An agent's title of a call is often its command, or quotes what it writes.
      Object.assign(tool, { tool_input: call.tool_input, title: headlineOf(toolViewOf(call)), output: "" });
    }
    delete shown.log;
  }
  maskJson(shown, (text) => maskText(text, undefined, values), { masked: 0 });
  return shown;
}
