import { join } from "node:path";
import { awakeLimit } from "#lib/awake-timer.ts";
import { messageOf } from "#lib/message-of.ts";
import { type Checkout, type CheckoutOptions, createCheckout } from "./checkout.ts";
import { checkoutPlace } from "./checkout-place.ts";
import { isOutdated, updateCheckout } from "./followed-checkout.ts";
import type { LeftOut } from "./left-out.ts";
import { fetchAgain } from "./mirror.ts";
import { makeGitPlain } from "./plain-git.ts";
import { refreshBranches } from "./refresh-branches.ts";
import { findRunRecord } from "./run-record.ts";

/** Others may use the mirror for minutes, and the turn can do without. */
const refreshMs = 15_000;

/**
 * The checkout for a turn, see {@link createCheckout}. For a run that has begun, the source is fetched too, and the checkout gets
 * its current branches; if it cannot be read, those of the last fetch, and `onProblem` is told why. One that others pushed on top of
 * is moved to their commits; `onLost` is told what that cost. No process of the run may be at work.
 */
export async function openCheckout(
  options: CheckoutOptions & { onProblem?: (problem: string) => void; onLost?: (lost: LeftOut[]) => void },
): Promise<Checkout> {
  const { repoId, source, onFetched, onProblem, env, signal } = options;
  const { mirror, runId } = checkoutPlace(options.dataDir, options.runId, repoId);
  const hasBegun = (await findRunRecord(mirror, runId)) !== null;
  if (hasBegun && source !== null && repoId !== null) {
    const { fetched, problem } = await fetchAgain({ ...options, repoId, source });
    if (fetched !== null) await onFetched?.(fetched);
    if (problem !== null) onProblem?.(problem);
  }
  if (await isOutdated(options)) {
    const lost = await updateCheckout(options);
    if (lost.length > 0) options.onLost?.(lost);
  }
  const checkout = await createCheckout(options);
  if (!hasBegun) return checkout;
  // The engine may have been killed before it committed the work of the last turn.
  await makeGitPlain(join(checkout.path, ".git"), signal);
  if (source === null) return checkout;
  using limit = awakeLimit(refreshMs, signal);
  await refreshBranches(checkout, { env, signal: limit.signal }).catch((error) => {
    signal?.throwIfAborted();
    onProblem?.(messageOf(error));
  });
  return checkout;
}
