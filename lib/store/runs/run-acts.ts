import { ApiError } from "#lib/contract/error.ts";
import { runActWords } from "#lib/contract/runs/run-act-words.ts";
import { mayAct, type RunAct, runActs } from "#lib/contract/runs/run-acts.ts";
import type { Access } from "./access.ts";

/**
 * Throws 403 if the caller may not do this to the run (lib/contract/runs/run-acts.ts). `owners` are the persons it belongs to. Call
 * it once the run is known to be visible, in the transaction that acts. The service itself has no role and is not checked.
 */
export function requireAct({ role, userId }: Access, act: RunAct, ...owners: (number | null)[]): void {
  if (role === undefined) return;
  const isOwn = userId !== null && owners.includes(userId);
  if (mayAct(role, act, isOwn)) return;
  const { own, others } = runActs[act];
  const words = runActWords[act];
  const detail = isOwn
    ? `You need the role ${own} to do this: ${words.toLowerCase()}.`
    : `The run is someone else's, so you need the role ${others} to do this: ${words.toLowerCase()}.`;
  throw new ApiError("forbidden", detail);
}
