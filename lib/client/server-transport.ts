import { headers } from "next/headers";
import { ClientError } from "./client-error.ts";
import type { Transport } from "./request.ts";

/** What the composition root offers to pages; see runtime.ts. It sits on `globalThis` because Next bundles modules anew. */
type Runtime = { dispatch: (request: Request) => Promise<Response> };

/** The host of requests that never leave the process. */
const IN_PROCESS_ORIGIN = "http://in-process.invalid";

/**
 * The transport of pages while they are rendered: the same endpoints, called in the process with the reader's own cookie,
 * so that a page sees exactly what its reader may see. Only for code that runs on the server.
 */
export async function serverTransport(): Promise<Transport> {
  const cookie = (await headers()).get("cookie");
  return (path, init) => {
    const request = new Request(new URL(path, IN_PROCESS_ORIGIN), init);
    if (cookie !== null) request.headers.set("cookie", cookie);
    return runtime().dispatch(request);
  };
}

/** {@link serverTransport} for pages that are the same for everybody. */
export const anonymousTransport: Transport = (path, init) =>
  runtime().dispatch(new Request(new URL(path, IN_PROCESS_ORIGIN), init));

function runtime(): Runtime {
  const found: unknown = Reflect.get(globalThis, Symbol.for("errand.runtime"));
  if (!isRuntime(found)) {
    throw new ClientError("unavailable", "This page is not served by Errand's own server: start it with `npm start`.");
  }
  return found;
}

function isRuntime(value: unknown): value is Runtime {
  return typeof value === "object" && value !== null && "dispatch" in value && typeof value.dispatch === "function";
}
