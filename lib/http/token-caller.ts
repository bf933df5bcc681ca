import { authenticate } from "#lib/auth/authenticate.ts";
import { refuseCrossSite } from "#lib/auth/same-origin.ts";
import type { Caller } from "#lib/contract/people/caller.ts";
import type { Call } from "./call.ts";
import { countFailure } from "./count-failure.ts";
import type { HttpRuntime } from "./runtime-access.ts";

/**
 * Identifies the caller for endpoints besides the API that accept tokens only: sessions are ignored, so no page can use them.
 * `authorization` is the header's value, where a client sends its token in another form. Throws 401 with WWW-Authenticate, 429 if
 * an address has failed too often, and 403 for a request that another site makes a browser send.
 */
export async function tokenCaller(
  call: Call,
  runtime: Pick<HttpRuntime, "store" | "limits" | "publicUrl">,
  authorization = call.header("authorization"),
): Promise<Caller> {
  refuseCrossSite(call, runtime.publicUrl);
  const header = (name: string) => {
    if (name === "authorization") return authorization;
    return name === "cookie" ? null : call.header(name);
  };
  try {
    return await authenticate({ method: call.method, header }, runtime.store, runtime.publicUrl);
  } catch (error) {
    throw await countFailure(error, call, runtime);
  }
}
