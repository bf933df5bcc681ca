import { ApiError } from "#lib/contract/error.ts";
import type { Call } from "./call.ts";
import type { HttpRuntime } from "./runtime-access.ts";

/** The error to respond with: a failed authentication is counted, and becomes a 429 after too many. */
export async function countFailure(
  error: unknown,
  call: Call,
  { limits }: Pick<HttpRuntime, "limits">,
): Promise<unknown> {
  if (!(error instanceof ApiError) || !error.isFailedAuthentication) return error;
  try {
    await limits.countFailure(call.address);
    return error;
  } catch (refusal) {
    return refusal;
  }
}
