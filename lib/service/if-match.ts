import { ApiError } from "#lib/contract/error.ts";
import { hasTag, Tagged, validatorOf } from "./reply.ts";

/**
 * Throws 412 if a change names another state than the current one (RFC 9110, 13.1.1). `read` returns what the operation that reads it
 * would: the tag is that of its response. To be called within the transaction that changes it.
 */
export async function requireMatch({ ifMatch }: { ifMatch: string | null }, read: () => unknown): Promise<void> {
  if (ifMatch === null) return;
  const reply = await read();
  const current = reply instanceof Tagged ? reply.state : reply;
  if (!hasTag(ifMatch, validatorOf(JSON.stringify(current)))) throw changedMeanwhile();
}

/** A request that its operation cannot carry out under a condition. */
export function takesNoTags(): ApiError {
  return new ApiError("precondition_failed", "This operation does not take If-Match. Send the request without it.");
}

/** A change that is not made because of its If-Match. */
export function changedMeanwhile(): ApiError {
  return new ApiError("precondition_failed", "It has changed since you read it. Read it again, then change it.");
}
