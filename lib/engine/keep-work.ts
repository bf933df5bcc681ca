import type { TurnEnd } from "#lib/agents/agent.ts";
import { traceFiles } from "#lib/analyst/trace-info.ts";
import { AwakeTimer, awakeLimit } from "#lib/awake-timer.ts";
import { messageOf } from "#lib/message-of.ts";
import { measuredBefore } from "#lib/store/runs/run-changes.ts";
import { type Claimed, LeaseLostError, type TurnRow, type UserRow } from "#lib/store/store.ts";
import type { Checkout } from "#lib/workspace/checkout.ts";
import { commitMessage } from "./commit-message.ts";
import { errorEntry, leftOutEntry, plainLfsEntry } from "./ending-entries.ts";
import type { EngineParts } from "./engine-parts.ts";
import { sourceOf } from "./open-checkout.ts";
import type { RunLease } from "./run-lease.ts";
import { isToldBefore } from "./told-before.ts";

/** Longer than others may use the repository's mirror: a slow fetch or a cleanup must not cost a turn its work. */
const keepMs = 20 * 60_000;
/** The same once a person has cancelled the run: most work is kept within seconds, and what is not stays in the checkout. */
const cancelledMsDefault = 60_000;

/** The log that an analysis has in its checkout, where git is told to ignore it. */
const ofTrace = new Set(Object.values(traceFiles).flatMap((name) => [name, `${name}/`]));

const flattenedWords =
  "The agent's commits are not in the branch: parts of the history they build on are missing, as after a fetch with `--depth` or `--filter`. Their files were saved, in one commit.";

/**
 * Commits the work and stores the diff, however the turn ended: a failed turn's work counts too. On a full disk both wait for space,
 * the commit until somebody cancels the run, or for half a minute if that is why the turn ended. Returns the turn's end with entries
 * about the commit; if the work could not be saved, a completed turn has failed. A cancel leaves it a minute. Throws only if the
 * lease is lost.
 */
export async function keepWork(
  parts: EngineParts,
  claimed: Claimed,
  {
    turn,
    checkout,
    end,
    held,
    isAnalysis,
  }: { turn: TurnRow; checkout: Checkout; end: TurnEnd; held: RunLease; isAnalysis: boolean },
): Promise<TurnEnd> {
  const { run, lease } = claimed;
  try {
    const message = commitMessage(run, turn, await personOf(parts, claimed), parts.maskCommit ?? ((text) => text));
    const identity = await parts.findCommitIdentity?.(run);
    const who = identity === undefined ? {} : { identity };
    const access = { organizationId: run.organizationId, userId: null };
    // Earlier turns and its pull request have changed the run since it was claimed.
    const current = (await parts.store.runs.find(access, run.id)) ?? run;
    const measured = measuredBefore(current);
    const kept = await held.writeOnceThereIsSpace(async () => {
      using limit = awakeLimit(keepMs);
      using cancelled = limitOnceCancelled(held, parts.keepCancelledMs ?? cancelledMsDefault);
      const signal = AbortSignal.any([limit.signal, cancelled.signal]);
      const work = { ...sourceOf(parts, claimed, signal), ...measured, checkout, message, ...who };
      return await parts.workspace.keep(work, signal);
    });
    const { diff, changes, replaces, commit, unsigned, flattened, plainLfsFiles } = kept;
    const leftOut = kept.leftOut.filter(({ path, why }) => !(isAnalysis && why === "ignored" && ofTrace.has(path)));
    const [newDiff, newChanges] = replaces ? [diff, changes] : [null, null];
    await held.writeOnceThereIsSpace(() => parts.store.queue.setDiff(lease, newDiff, newChanges, commit));
    const lost = leftOut.filter(({ why }) => why !== "unfinished" && why !== "conflict");
    await held.writeOnceThereIsSpace(() => parts.store.queue.setLeftOut(lease, lost.length));
    const told = leftOut.length === 0 ? null : leftOutEntry(leftOut);
    const isNews = told !== null && !(current.leftOut > 0 && (await isToldBefore(parts.store, current, told)));
    const notes = [
      ...(told !== null && isNews ? [told] : []),
      ...(plainLfsFiles.length === 0 ? [] : [plainLfsEntry(plainLfsFiles)]),
      ...(flattened ? [errorEntry("commits_not_kept", flattenedWords)] : []),
      ...(unsigned === null ? [] : [errorEntry("work_not_signed", `The commit could not be signed: ${unsigned}`)]),
    ];
    return notes.length === 0 ? end : { ...end, entries: [...end.entries, ...notes] };
  } catch (error) {
    if (error instanceof LeaseLostError) throw error;
    parts.logger.warn({ run: run.id, err: error }, "the work of a turn could not be saved");
    const isCancelled = error instanceof TooLongAfterCancel;
    // The page leads to what is said of work left out by these words.
    const words = `The work of this turn could not be saved: ${messageOf(error)}`;
    const entry = errorEntry("work_not_kept", words, { work_left_out: true });
    await held.writeOnceThereIsSpace(() => parts.store.queue.setLeftOut(lease, Math.max(1, run.leftOut)));
    const status = end.status !== "completed" ? end.status : isCancelled ? "cancelled" : "failed";
    return { ...end, status, entries: [...end.entries, entry] };
  }
}

class TooLongAfterCancel extends Error {
  constructor() {
    super(
      "it took too long after the run was cancelled. It is still in the checkout: the end of the next turn saves it.",
    );
  }
}

/** A limit that begins when the run is cancelled. */
function limitOnceCancelled(held: RunLease, ms: number): { signal: AbortSignal } & Disposable {
  const controller = new AbortController();
  let timer: AwakeTimer | null = null;
  const begin = () => {
    if (held.stopReason === "cancelled") timer = new AwakeTimer(ms, () => controller.abort(new TooLongAfterCancel()));
  };
  held.signal.addEventListener("abort", begin, { once: true });
  if (held.signal.aborted) begin();
  return {
    signal: controller.signal,
    [Symbol.dispose]: () => {
      held.signal.removeEventListener("abort", begin);
      timer?.stop();
    },
  };
}

/** The person whose run it is. */
async function personOf({ store }: EngineParts, { run }: Claimed): Promise<UserRow | null> {
  const { organizationId, userId } = run;
  if (userId === null) return null;
  return store.organizations.findUser({ organizationId, userId: null }, userId);
}
