import { headers } from "next/headers";
import { ClientError } from "./client-error.ts";
import type { Transport } from "./request.ts";

/** What pages use of `lib/http/runtime-access.ts`. It is on `globalThis` because Next bundles modules separately. */
type Runtime = { dispatch: (request: Request) => Promise<Response>; loginCommand?: string };

/** Tells the endpoints the address a page is rendered for; set by the front. */
const ADDRESS_HEADER = "x-errand-address";

/** Host of requests that never leave the process. */
const IN_PROCESS_ORIGIN = "http://in-process.invalid";

/**
 * Transport for server rendering: calls the endpoints within the process, with the reader's own cookie, so that a page sees
 * exactly what its reader may see. Server only.
 */
export async function serverTransport(): Promise<Transport> {
  return transportWith(["cookie", ADDRESS_HEADER], await headers());
}

/** {@link serverTransport} for pages that are the same for everyone. */
export const anonymousTransport: Transport = async (path, init) =>
  transportWith([ADDRESS_HEADER], await headers())(path, init);

/** Passes on some headers of the page request. */
function transportWith(names: string[], asked: Headers): Transport {
  return (path, init) => {
    const request = new Request(new URL(path, IN_PROCESS_ORIGIN), init);
    for (const name of names) {
      const value = asked.get(name);
      if (value !== null) request.headers.set(name, value);
    }
    return runtime().dispatch(request);
  };
}

/** Command that prints a sign-in link, on the machine that runs the service. Server only. */
export function loginCommand(): string {
  return runtime().loginCommand ?? "npm run --silent errand -- login";
}

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
